/* 幸灾乐祸 in plain C, default rules: the measure of our speed and a second opinion on our results.

   Written as one writes C from the rule sheet (ids S-Rnn): a struct, card sets in 64-bit words,
   loops over seats and cards, strategies behind function pointers, sums of the results. The
   compiler may do what it can (gcc -O3 -march=native); nothing is tuned by hand: no vector
   intrinsics, no pdep, no tables. Nothing is slowed down either: what our engine has besides (other
   rule switches, the history a person would remember, legality tests, cross products, histograms)
   is left out. Random streams, shuffle and draws are ours, so that the same seeds must give the same
   games.

   card = suit * 12 + rank, ranks from the lowest number; cards 48 and 49 are wild.
*/
#define SEATS 5
#define SEAT_MEASURES(X) X(bust) X(tricks) X(cancellations) X(first_round)
#define GAME_MEASURES(X) X(rounds) X(busts) X(cancelled) X(single_follower) X(lead_changes)
#include "twin.h"

enum { SUITS = 4, RANKS = 12, WILD = 48, CARDS = 50, LIMIT = 40, MAX_ROUNDS = 50 };
enum { OPEN = -1 }; /* no suit led yet */

static const int NUMBER[RANKS] = {-3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9};
static const uint64_t SUIT = (1 << RANKS) - 1, WILDS = 3ull << WILD;
static const uint64_t EACH_SUIT = 1ull | 1ull << 12 | 1ull << 24 | 1ull << 36; /* one rank */
static const uint64_t REMOVED_3P = 1 << 1 | 1 << 2 | 1 << 11; /* -2, -1 and 9 */

/* The game. */

typedef struct {
    int players, hand_size;
    uint64_t deck, seed, deal;
    Stream cards, chance, own[SEATS]; /* own: each strategy's */
    uint64_t hand[SEATS], played;
    int pile[SEATS];                  /* set of ranks */
    int total[SEATS], round, start, first_start, lead;
    int led_suit, laid[SEATS];        /* this trick */
    int void_of[SEATS];               /* set of suits the seat has shown to lack */
    int tricks[SEATS], cancellations[SEATS], first_round[SEATS];
    int single_follower, lead_changes, best, decisions;
} Game;

typedef int (*Strategy)(Game *game, int seat, uint64_t legal);

static int seat_after(const Game *game, int seat)
{
    return seat + 1 == game->players ? 0 : seat + 1;
}

static int first_card(uint64_t cards)
{
    return __builtin_ctzll(cards);
}

/* The card with k cards of the set below it. */
static int kth_card(uint64_t cards, int k)
{
    while (k--)
        cards &= cards - 1;
    return first_card(cards);
}

static void deal_hands(Game *game)
{
    int deck[CARDS], place = 0, tail = CARDS - 1, seat = game->start;
    for (int card = 0; card < CARDS; card++)
        deck[card] = card;
    shuffle(&game->cards, deck, CARDS);
    memset(game->hand, 0, sizeof game->hand);
    for (int i = 0; i < game->hand_size * game->players; i++) {
        int card = deck[place++];
        while (!(game->deck >> card & 1)) /* three players: a kept card from the tail */
            card = deck[tail--];
        game->hand[seat] |= 1ull << card;
        seat = seat_after(game, seat);
    }
}

/* S-R02 */
static uint64_t legal_cards(const Game *game, int seat)
{
    uint64_t hand = game->hand[seat];
    if (game->led_suit == OPEN)
        return hand;
    uint64_t in_suit = hand & SUIT << game->led_suit * RANKS;
    return in_suit ? in_suit | (hand & WILDS) : hand;
}

/* S-R05, S-R06 */
static void collect(Game *game, int seat, int card)
{
    int bit = 1 << card % RANKS;
    if (game->pile[seat] & bit)
        game->cancellations[seat]++;
    game->pile[seat] ^= bit;
}

static void play_trick(Game *game, Strategy *strategy)
{
    int seat = game->lead;
    game->led_suit = OPEN;
    for (int i = 0; i < game->players; i++) {
        int card = strategy[seat](game, seat, legal_cards(game, seat));
        game->hand[seat] &= ~(1ull << card);
        game->played |= 1ull << card;
        game->laid[seat] = card;
        game->decisions++;
        if (card < WILD) {
            if (game->led_suit == OPEN)
                game->led_suit = card / RANKS;
            else if (card / RANKS != game->led_suit)
                game->void_of[seat] |= 1 << game->led_suit;
        }
        seat = seat_after(game, seat);
    }
    int highest = -1, second = -1; /* seats; S-R03 */
    for (seat = 0; seat < game->players; seat++) {
        if (game->laid[seat] >= WILD || game->laid[seat] / RANKS != game->led_suit)
            continue;
        if (highest < 0 || game->laid[seat] > game->laid[highest]) {
            second = highest;
            highest = seat;
        } else if (second < 0 || game->laid[seat] > game->laid[second]) {
            second = seat;
        }
    }
    if (second < 0)
        game->single_follower++;
    int winner = second < 0 ? highest : second;
    for (seat = 0; seat < game->players; seat++) {
        int card = game->laid[seat];
        if (seat == winner || (card < WILD && card / RANKS != game->led_suit))
            collect(game, winner, card);
    }
    game->tricks[winner]++;
    game->lead = winner;
}

static int pile_sum(int pile)
{
    int sum = 0;
    for (int rank = 0; rank < RANKS; rank++)
        if (pile >> rank & 1)
            sum += NUMBER[rank];
    return sum;
}

/* The set of seats with the highest total that does not lose. */
static int best_seats(const Game *game)
{
    int best = -1, seats = 0;
    for (int seat = 0; seat < game->players; seat++) {
        int total = game->total[seat];
        if (total > LIMIT || total < best)
            continue;
        seats = total > best ? 1 << seat : seats | 1 << seat;
        best = total;
    }
    return seats;
}

static int lowest_seats(const Game *game)
{
    int lowest = game->total[0], seats = 0;
    for (int seat = 0; seat < game->players; seat++) {
        int total = game->total[seat];
        if (total > lowest)
            continue;
        seats = total < lowest ? 1 << seat : seats | 1 << seat;
        lowest = total;
    }
    return seats;
}

/* S-R08; returns whether a seat has passed the limit. */
static int score_round(Game *game)
{
    int passed = 0;
    for (int seat = 0; seat < game->players; seat++) {
        int score = pile_sum(game->pile[seat]), total = game->total[seat] + score;
        game->total[seat] = total > 0 ? total : 0;
        if (game->round == 1)
            game->first_round[seat] = score;
        if (game->total[seat] > LIMIT)
            passed = 1;
    }
    int best = best_seats(game);
    if (game->round > 1 && best != game->best)
        game->lead_changes++;
    game->best = best;
    return passed;
}

/* S-R09: returns whether the game ended by its rules. */
static int play_game(Game *game, Strategy *strategy)
{
    for (game->round = 1;; game->round++) {
        open_stream(&game->cards, game->seed, game->deal, FOR_CARDS, game->round);
        open_stream(&game->chance, game->seed, game->deal, FOR_CHANCE, game->round);
        if (game->round == 1) {
            game->start = game->first_start = below(&game->chance, game->players);
        } else { /* S-R10 */
            int lowest = lowest_seats(game);
            int n = __builtin_popcount(lowest);
            game->start = kth_card(lowest, below(&game->chance, n));
        }
        deal_hands(game);
        game->lead = game->start;
        game->played = 0;
        memset(game->pile, 0, sizeof game->pile);
        memset(game->void_of, 0, sizeof game->void_of);
        for (int trick = 0; trick < game->hand_size; trick++)
            play_trick(game, strategy);
        if (score_round(game))
            return 1;
        if (game->round == MAX_ROUNDS)
            return 0;
    }
}

static void set_results(Row *row, const Game *game, int is_finished)
{
    int winners = is_finished ? best_seats(game) : 0, n = __builtin_popcount(winners);
    row->status = row->unfinished = !is_finished;
    row->start = game->first_start;
    row->busts = row->cancelled = 0;
    for (int seat = 0; seat < game->players; seat++) {
        row->won[seat] = winners >> seat & 1;
        row->win_share[seat] = row->won[seat] ? SHARE_UNIT / n : 0;
        row->score[seat] = game->total[seat];
        row->bust[seat] = game->total[seat] > LIMIT;
        row->tricks[seat] = game->tricks[seat];
        row->cancellations[seat] = game->cancellations[seat];
        row->first_round[seat] = game->first_round[seat];
        row->busts += row->bust[seat];
        row->cancelled += row->cancellations[seat];
    }
    row->nobody = n == 0;
    row->shared = n > 1;
    row->decisions = game->decisions;
    row->rounds = game->round;
    row->single_follower = game->single_follower;
    row->lead_changes = game->lead_changes;
}

/* The strategies: the first three of section 8. */

static int uniform(Game *game, int seat, uint64_t legal)
{
    return kth_card(legal, below(&game->own[seat], __builtin_popcountll(legal)));
}

static int highest(Game *game, int seat, uint64_t legal)
{
    (void)game, (void)seat;
    uint64_t numbers = legal & ~WILDS;
    if (!numbers)
        return first_card(legal);
    int best = first_card(numbers);
    for (numbers &= numbers - 1; numbers; numbers &= numbers - 1) {
        int card = first_card(numbers);
        if (card % RANKS > best % RANKS)
            best = card;
    }
    return best;
}

static int lowest(Game *game, int seat, uint64_t legal)
{
    (void)seat;
    uint64_t numbers = legal & ~WILDS;
    if (!numbers)
        return first_card(legal);
    int follows = game->led_suit == OPEN || numbers & SUIT << game->led_suit * RANKS;
    int best = -1, most = 0;
    for (uint64_t left = numbers; left; left &= left - 1) {
        int card = first_card(left), rank = card % RANKS;
        int copies = follows ? 1 : __builtin_popcountll(numbers & EACH_SUIT << rank);
        if (copies > most || (copies == most && rank < best % RANKS)) {
            best = card;
            most = copies;
        }
    }
    return best;
}

static const Strategy STRATEGY[] = {uniform, highest, lowest};

static Game new_game(int players, uint64_t seed, uint64_t deal)
{
    Game game = {.players = players, .seed = seed, .deal = deal};
    game.hand_size = players == 5 ? 10 : 12;
    game.deck = (1ull << CARDS) - 1;
    for (int suit = 0; players == 3 && suit < SUITS; suit++)
        game.deck &= ~(REMOVED_3P << suit * RANKS);
    for (int seat = 0; seat < players; seat++)
        open_stream(&game.own[seat], seed, deal, FOR_STRATEGY + seat, 0);
    return game;
}

static void play(int players, uint64_t seed, uint64_t deal, const int *lineup, Row *row)
{
    Game game = new_game(players, seed, deal);
    Strategy strategy[SEATS];
    for (int seat = 0; seat < players; seat++)
        strategy[seat] = STRATEGY[lineup[row->entry[seat]]];
    int is_finished = play_game(&game, strategy);
    set_results(row, &game, is_finished);
}
