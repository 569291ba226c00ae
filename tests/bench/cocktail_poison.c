/* Cocktail Poison in plain C, default rules: the measure of our speed and a second opinion on our
   results.

   Written as one writes C from the rule sheet (ids C-Rnn): a struct, card sets in 64-bit words,
   loops over seats and cards, strategies behind function pointers, sums of the results. The
   compiler may do what it can (gcc -O3 -march=native); nothing is tuned by hand: no vector
   intrinsics, no pdep, no tables. Nothing is slowed down either: what our engine has besides (other
   rule switches, slots of the row, the round before, legality tests, cross products, histograms)
   is left out. Random streams, shuffle and draws are ours, so that the same seeds must give the same
   games.

   card = style * 4 + colour; style 0 is the Martini. Tiles 0..3 are colours, 4 is the antidote.
*/
#define SEATS 6
#define SEAT_MEASURES(X) \
    X(poisoned) X(own_drawn) X(antidotes) X(antidote_points) X(first_round)
#define GAME_MEASURES(X) X(rounds) X(hits) X(cured) X(multiple) X(margin)
#include "twin.h"

enum { STYLES = 6, COLOURS = 4, CARDS = 24, TILES = 5, ANTIDOTE = 4, TARGET = 5, MAX_ROUNDS = 50 };
enum { NO_CARD = -1 };

/* The game. */

typedef struct {
    int players, row_size;
    uint64_t seed, deal;
    Stream cards, chance, own[SEATS]; /* own: each strategy's */
    int styles, style[SEATS], tile[SEATS];
    int deck[CARDS], n_deck, n_turned;
    uint64_t row, display[SEATS];
    int cover[SEATS];                 /* card under the antidote */
    int n_taken;
    uint64_t offer[CARDS];            /* the row before each take */
    int total[SEATS], round, start, first_start;
    int poisoned[SEATS], own_drawn[SEATS], antidotes[SEATS], antidote_points[SEATS];
    int first_round[SEATS];
    int hits, cured, multiple, decisions;
} Game;

/* What a player does: chooses a tile; takes a card and says whether the antidote goes on it. */
typedef struct { int card, lays; } Take;
typedef struct {
    int (*tile)(Game *game, int seat);
    Take (*take)(Game *game, int seat);
} Strategy;

static int first_card(uint64_t cards)
{
    return __builtin_ctzll(cards);
}

static int n_cards(uint64_t cards)
{
    return __builtin_popcountll(cards);
}

/* The card with k cards of the set below it. */
static int kth_card(uint64_t cards, int k)
{
    while (k--)
        cards &= cards - 1;
    return first_card(cards);
}

static uint64_t cards_of_style(int style)
{
    return 15ull << style * COLOURS;
}

/* The card that a seat has poisoned, as a set. */
static uint64_t poison_of(const Game *game, int seat)
{
    if (game->tile[seat] == ANTIDOTE)
        return 0;
    return 1ull << (game->style[seat] * COLOURS + game->tile[seat]);
}

/* C-R01 */
static void deal_glasses(Game *game)
{
    int styles[STYLES] = {1, 2, 3, 4, 5}, n = 0;
    shuffle(&game->chance, styles, STYLES - 1);
    game->styles = 1;
    for (int k = 0; k < game->players - 1; k++)
        game->styles |= 1 << styles[k];
    for (int style = 0; style < STYLES; style++)
        if (game->styles >> style & 1)
            styles[n++] = style;
    shuffle(&game->cards, styles, n);
    for (int place = 0; place < n; place++)
        game->style[(game->start + place) % n] = styles[place];
}

/* C-R03 */
static void shuffle_drinks(Game *game)
{
    game->n_deck = game->n_turned = 0;
    for (int style = 0; style < STYLES; style++)
        for (int colour = 0; colour < COLOURS && game->styles >> style & 1; colour++)
            game->deck[game->n_deck++] = style * COLOURS + colour;
    shuffle(&game->cards, game->deck, game->n_deck);
}

static void turn_up(Game *game)
{
    if (game->n_turned < game->n_deck)
        game->row |= 1ull << game->deck[game->n_turned++];
}

/* C-R02 to C-R05 */
static void play_round(Game *game, const Strategy *strategy)
{
    for (int place = 0; place < game->players; place++) {
        int seat = (game->start + place) % game->players;
        game->tile[seat] = strategy[seat].tile(game, seat);
        game->display[seat] = 0;
        game->cover[seat] = NO_CARD;
        game->decisions++;
    }
    game->row = 0;
    for (int i = 0; i < game->row_size; i++)
        turn_up(game);
    int seat = game->start;
    for (game->n_taken = 0; game->n_taken < game->n_deck; game->n_taken++) {
        Take take = strategy[seat].take(game, seat);
        game->offer[game->n_taken] = game->row;
        game->row &= ~(1ull << take.card);
        game->display[seat] |= 1ull << take.card;
        if (take.lays)
            game->cover[seat] = take.card;
        turn_up(game);
        game->decisions++;
        seat = seat + 1 == game->players ? 0 : seat + 1;
    }
}

/* C-R06, C-R07 */
static void score_round(Game *game)
{
    uint64_t poisons = 0, covered = 0;
    for (int seat = 0; seat < game->players; seat++) {
        poisons |= poison_of(game, seat);
        if (game->cover[seat] != NO_CARD)
            covered |= 1ull << game->cover[seat];
    }
    for (int seat = 0; seat < game->players; seat++) {
        uint64_t own = poison_of(game, seat), display = game->display[seat];
        uint64_t foreign = poisons & display & ~own;
        int cured = (foreign & covered) != 0, poisoned = n_cards(foreign & ~covered);
        int own_drawn = (own & display) != 0, hit = (own & ~display & ~covered) != 0;
        int clean = !cured && !poisoned && !own_drawn;
        int score = 2 * hit + cured - (cured ? 0 : poisoned) + clean;
        if (score < 0)
            score = 0;
        game->total[seat] += score;
        game->hits += hit;
        game->poisoned[seat] += poisoned;
        game->own_drawn[seat] += own_drawn;
        game->cured += cured;
        game->multiple += poisoned >= 2;
        if (game->tile[seat] == ANTIDOTE) {
            game->antidotes[seat]++;
            game->antidote_points[seat] += score;
        }
        if (game->round == 1)
            game->first_round[seat] = score;
    }
}

static int best_total(const Game *game)
{
    int best = game->total[0];
    for (int seat = 1; seat < game->players; seat++)
        if (game->total[seat] > best)
            best = game->total[seat];
    return best;
}

/* C-R09, C-R10 */
static void play_game(Game *game, const Strategy *strategy)
{
    for (game->round = 1;; game->round++) {
        open_stream(&game->cards, game->seed, game->deal, FOR_CARDS, game->round);
        open_stream(&game->chance, game->seed, game->deal, FOR_CHANCE, game->round);
        if (game->round == 1)
            game->start = game->first_start = below(&game->chance, game->players);
        deal_glasses(game);
        shuffle_drinks(game);
        play_round(game, strategy);
        score_round(game);
        if (game->round == MAX_ROUNDS || best_total(game) >= TARGET)
            return;
        game->start = 0;
        while (game->style[game->start] != 0) /* the Martini */
            game->start++;
    }
}

static void set_results(Row *row, const Game *game)
{
    int best = best_total(game), n = 0, second = -1;
    for (int seat = 0; seat < game->players; seat++)
        if (game->total[seat] == best)
            n++;
        else if (game->total[seat] > second)
            second = game->total[seat];
    row->status = row->unfinished = best < TARGET;
    row->start = game->first_start;
    for (int seat = 0; seat < game->players; seat++) {
        row->won[seat] = game->total[seat] == best;
        row->win_share[seat] = row->won[seat] ? SHARE_UNIT / n : 0;
        row->score[seat] = game->total[seat];
        row->poisoned[seat] = game->poisoned[seat];
        row->own_drawn[seat] = game->own_drawn[seat];
        row->antidotes[seat] = game->antidotes[seat];
        row->antidote_points[seat] = game->antidote_points[seat];
        row->first_round[seat] = game->first_round[seat];
    }
    row->nobody = 0;
    row->shared = n > 1;
    row->decisions = game->decisions;
    row->rounds = game->round;
    row->hits = game->hits;
    row->cured = game->cured;
    row->multiple = game->multiple;
    row->margin = n > 1 ? 0 : best - second;
}

/* The strategies of section 8: items 0, 2 and 3, the latter two with any colour as their tile. */

static int any_card(Game *game, int seat, uint64_t cards)
{
    return kth_card(cards, below(&game->own[seat], n_cards(cards)));
}

static int any_tile(Game *game, int seat)
{
    return below(&game->own[seat], TILES);
}

static int any_colour(Game *game, int seat)
{
    return below(&game->own[seat], COLOURS);
}

static Take uniform(Game *game, int seat)
{
    int card = any_card(game, seat, game->row);
    int may_lay = game->tile[seat] == ANTIDOTE && game->cover[seat] == NO_CARD;
    return (Take){card, may_lay && below(&game->own[seat], 2)};
}

static Take own_first(Game *game, int seat)
{
    uint64_t poison = poison_of(game, seat);
    uint64_t own = game->row & cards_of_style(game->style[seat]) & ~poison;
    uint64_t foreign = game->row & ~poison;
    return (Take){any_card(game, seat, own ? own : foreign ? foreign : game->row), 0};
}

static int likely_owner(const Game *game, int seat, int style)
{
    int owner = -1, most = 1;
    for (int other = 0; other < game->players; other++) {
        int n = n_cards(game->display[other] & cards_of_style(style));
        if (other == seat || n < most)
            continue;
        owner = n > most ? other : -1;
        most = n;
    }
    return owner;
}

static int times_avoided(const Game *game, int owner, int card)
{
    int n = 0, first = (owner - game->start + game->players) % game->players;
    for (int take = first; take < game->n_taken; take += game->players)
        n += game->offer[take] >> card & 1;
    return n;
}

static double risk_of(const Game *game, int seat, uint64_t taken, int card)
{
    const double unknown = 90 / 400.0;
    int style = card / COLOURS, avoided = 0, all_avoided = 0;
    if (style == game->style[seat])
        return poison_of(game, seat) >> card & 1 ? 3.0 : 0.0;
    int owner = likely_owner(game, seat, style);
    if (owner < 0)
        return unknown;
    if (game->cover[owner] != NO_CARD)
        return 0.0;
    for (uint64_t left = cards_of_style(style) & ~taken; left; left &= left - 1) {
        int other = first_card(left), n = 1 + times_avoided(game, owner, other);
        all_avoided += n;
        if (other == card)
            avoided = n;
    }
    return COLOURS * unknown * avoided / all_avoided;
}

static Take avoid_count(Game *game, int seat)
{
    uint64_t taken = 0;
    int best = NO_CARD, most_to_come = 0;
    double least = 0.0;
    for (int other = 0; other < game->players; other++)
        taken |= game->display[other];
    for (uint64_t left = game->row; left; left &= left - 1) {
        int card = first_card(left);
        double risk = risk_of(game, seat, taken, card);
        int to_come = n_cards(cards_of_style(card / COLOURS) & ~taken & ~game->row);
        if (best == NO_CARD || risk < least || (risk == least && to_come > most_to_come)) {
            best = card;
            least = risk;
            most_to_come = to_come;
        }
    }
    return (Take){best, 0};
}

static const Strategy STRATEGY[] = {
    {any_tile, uniform}, {any_colour, own_first}, {any_colour, avoid_count}};

static void play(int players, uint64_t seed, uint64_t deal, const int *lineup, Row *row)
{
    Game game = {.players = players, .seed = seed, .deal = deal};
    Strategy strategy[SEATS];
    game.row_size = players <= 4 ? 3 : 4;
    for (int seat = 0; seat < players; seat++) {
        open_stream(&game.own[seat], seed, deal, FOR_STRATEGY + seat, 0);
        strategy[seat] = STRATEGY[lineup[row->entry[seat]]];
    }
    play_game(&game, strategy);
    set_results(row, &game);
}
