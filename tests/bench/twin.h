/* What our games in plain C share: random streams like ours, who sits where, sums of the results.

   A game defines SEATS (at most) and its measures, SEAT_MEASURES(X) and GAME_MEASURES(X) with an X
   for each in the order of our engine, includes this, and defines `play`, STRATEGY and the rest.
*/
#include <stdint.h>
#include <string.h>

enum { FOR_CARDS = 0, FOR_CHANCE = 1, FOR_LINEUP = 2, FOR_STRATEGY = 16 }; /* + seat */
enum { SHARE_UNIT = 2520 };

/* Random streams: one block of Philox4x64-10 seeds xoshiro256++. */

typedef struct { uint64_t s[4]; } Stream;

static void open_stream(Stream *stream, uint64_t seed, uint64_t deal, uint64_t purpose,
                        uint64_t round)
{
    uint64_t c[4] = {1, deal, purpose, round}, key[2] = {seed, 0};
    for (int i = 0; i < 10; i++) {
        unsigned __int128 a = (unsigned __int128)0xD2E7470EE14C6C93 * c[0];
        unsigned __int128 b = (unsigned __int128)0xCA5A826395121157 * c[2];
        uint64_t c1 = c[1], c3 = c[3];
        c[0] = (uint64_t)(b >> 64) ^ c1 ^ key[0];
        c[1] = (uint64_t)b;
        c[2] = (uint64_t)(a >> 64) ^ c3 ^ key[1];
        c[3] = (uint64_t)a;
        key[0] += 0x9E3779B97F4A7C15;
        key[1] += 0xBB67AE8584CAA73B;
    }
    memcpy(stream->s, c, sizeof c);
}

static uint64_t rotate_left(uint64_t word, int n)
{
    return (word << n) | (word >> (64 - n));
}

static uint64_t next_word(Stream *stream)
{
    uint64_t *s = stream->s, result = rotate_left(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

/* 0..n-1, each with the same probability (Lemire); draws nothing when n is 1. */
static int below(Stream *stream, uint64_t n)
{
    if (n <= 1)
        return 0;
    unsigned __int128 product = (unsigned __int128)next_word(stream) * n;
    if ((uint64_t)product < n)
        while ((uint64_t)product < -n % n)
            product = (unsigned __int128)next_word(stream) * n;
    return (int)(product >> 64);
}

/* Fisher-Yates from the end; one random word serves as many places as fit in 64 bits. */
static void shuffle(Stream *stream, int *items, int n)
{
    while (n > 1) {
        uint64_t product = 1, word;
        int end = n;
        while (end > 1 && product < 1ull << 48)
            product *= (uint64_t)end--;
        word = next_word(stream);
        if (word * product < product)
            while (word * product < -product % product)
                word = next_word(stream);
        while (n > end) {
            unsigned __int128 die = (unsigned __int128)word * (uint64_t)n--;
            int k = (int)(die >> 64), item = items[k];
            word = (uint64_t)die;
            items[k] = items[n];
            items[n] = item;
        }
    }
}

/* The results: names and order as in our engine. */

#define SEAT_COLUMN(name) int64_t name[SEATS];
#define GAME_COLUMN(name) int64_t name;
#define AND_ONE(name) +1

enum { SEAT_COLUMNS = 3 SEAT_MEASURES(AND_ONE), GAME_COLUMNS = 5 GAME_MEASURES(AND_ONE) };

typedef struct {
    int64_t deal, rotation, entry[SEATS];
    int64_t status, start;
    union {
        int64_t seat_column[SEAT_COLUMNS][SEATS];
        struct {
            int64_t win_share[SEATS], won[SEATS], score[SEATS];
            SEAT_MEASURES(SEAT_COLUMN)
        };
    };
    union {
        int64_t game_column[GAME_COLUMNS];
        struct {
            int64_t nobody, shared, unfinished, draw, decisions;
            GAME_MEASURES(GAME_COLUMN)
        };
    };
} Row;

typedef struct {
    int64_t games;
    int64_t by_strategy[SEAT_COLUMNS][SEATS], by_seat[SEAT_COLUMNS][SEATS];
    int64_t by_game[GAME_COLUMNS];
} Sums;

static void add(Sums *sums, const Row *row, int players)
{
    sums->games++;
    for (int column = 0; column < SEAT_COLUMNS; column++)
        for (int seat = 0; seat < players; seat++) {
            sums->by_strategy[column][row->entry[seat]] += row->seat_column[column][seat];
            sums->by_seat[column][seat] += row->seat_column[column][seat];
        }
    for (int column = 0; column < GAME_COLUMNS; column++)
        sums->by_game[column] += row->game_column[column];
}

/* Who sits where: the line-up shuffled anew for each deal, then turned by the rotation. */
static void seat_lineup(int players, uint64_t seed, uint64_t deal, int rotations, int64_t rotation,
                        int64_t *entry)
{
    int order[SEATS];
    Stream stream;
    for (int seat = 0; seat < players; seat++)
        order[seat] = seat;
    if (rotations > 1) {
        open_stream(&stream, seed, deal, FOR_LINEUP, 0);
        for (int seat = players - 1; seat > 0; seat--) {
            int other = below(&stream, (uint64_t)seat + 1), moved = order[seat];
            order[seat] = order[other];
            order[other] = moved;
        }
    }
    for (int seat = 0; seat < players; seat++)
        entry[seat] = order[(seat + rotation) % players];
}

/* Play one game; `row->entry` is the position in the line-up of each seat. The game defines it. */
static void play(int players, uint64_t seed, uint64_t deal, const int *lineup, Row *row);

/* Play the deals first..last-1. `lineup` holds indices of STRATEGY; `rotations` is 1 or the number
   of players. Adds to `sums`; fills `rows`, one a game, unless it is NULL. */
void play_deals(int players, const int *lineup, int rotations, uint64_t seed, int64_t first,
                int64_t last, Sums *sums, Row *rows)
{
    for (int64_t deal = first; deal < last; deal++)
        for (int rotation = 0; rotation < rotations; rotation++) {
            Row row = {.deal = deal, .rotation = rotation};
            seat_lineup(players, seed, (uint64_t)deal, rotations, rotation, row.entry);
            play(players, seed, (uint64_t)deal, lineup, &row);
            add(sums, &row, players);
            if (rows)
                *rows++ = row;
        }
}
