/* 毒药 in plain C, default rules: the measure of our speed and a second opinion on our results.

   Written as one writes C from the rule sheet (ids P-Rnn): a struct, counts of each kind of card,
   loops over kinds and pots, strategies behind function pointers, sums of the results. The compiler
   may do what it can (gcc -O3 -march=native); nothing is tuned by hand: no vector intrinsics, no
   packed words, no tables. Nothing is slowed down either: what our engine has besides (other rule
   switches, the history a person would remember, legality tests, cross products, histograms) is
   left out. Random streams, shuffle and draws are ours, so that the same seeds must give the same
   games.

   kind = colour * 5 + i with i indexing the values 1 2 4 5 7; kind 15 is poison.
   action = kind * 3 + pot.
*/
#define SEATS 6
#define SEAT_MEASURES(X) X(first_round) X(overflows) X(forced) X(taken) X(poisons) X(discarded) \
    X(majorities) X(largest_majority)
#define GAME_MEASURES(X) X(rounds) X(all_overflows) X(all_forced) X(tied_colours) X(left_over) \
    X(lead_changes) X(came_back)
#include "twin.h"

enum { COLOURS = 3, POTS = 3, KINDS = 16, POISON = 15, CARDS = 50, THRESHOLD = 13 };
enum { ACTIONS = KINDS * POTS, HIGHEST = 7, NO_COLOUR = -1, NOBODY = -1 };

static const int VALUE[KINDS] = {1, 2, 4, 5, 7, 1, 2, 4, 5, 7, 1, 2, 4, 5, 7, 4};
static const int COPIES[KINDS] = {3, 3, 2, 3, 3, 3, 3, 2, 3, 3, 3, 3, 2, 3, 3, 8};

typedef struct {
    int count[KINDS]; /* cards of each kind */
    int total, colour, n_cards;
} Pot;

typedef struct {
    int colour[COLOURS], poisons; /* number of cards */
} Pile;

typedef struct {
    int players;
    uint64_t seed, deal;
    Stream cards, chance, own[SEATS]; /* own: each strategy's */
    int hand[SEATS][KINDS], n_hand[SEATS];
    Pot pot[POTS];
    Pile pile[SEATS];
    int total[SEATS], round, start, first_start, leaders, decisions;
    int first_round[SEATS], overflows[SEATS], forced[SEATS], taken[SEATS], poisons[SEATS];
    int discarded[SEATS], majorities[SEATS], largest_majority[SEATS];
    int tied_colours, left_over, lead_changes;
    int first_seat, came_back; /* of the first poison of the game */
    Pot *first_pot;            /* where it lies */
} Game;

/* What the seat may do: n actions, in order. */
typedef struct {
    int n, action[ACTIONS];
} Actions;

typedef int (*Strategy)(Game *game, int seat, const Actions *legal);

static int seat_after(const Game *game, int seat)
{
    return seat + 1 == game->players ? 0 : seat + 1;
}

/* P-R01: with three players a fourth hand is dealt, which nobody plays. */
static void deal_hands(Game *game)
{
    int deck[CARDS], n = 0, hands = game->players == 3 ? 4 : game->players;
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < COPIES[kind]; i++)
            deck[n++] = kind;
    shuffle(&game->cards, deck, CARDS);
    memset(game->hand, 0, sizeof game->hand);
    memset(game->n_hand, 0, sizeof game->n_hand);
    for (int i = 0; i < CARDS; i++) {
        int place = i % hands;
        if (place < game->players) {
            int seat = (game->start + place) % game->players;
            game->hand[seat][deck[i]]++;
            game->n_hand[seat]++;
        }
    }
}

/* P-R03 to P-R07 */
static void find_actions(const Game *game, int seat, Actions *legal)
{
    const Pot *pot = game->pot;
    int has_pot[COLOURS] = {0}, is_first[POTS];
    for (int p = 0; p < POTS; p++) {
        is_first[p] = 1; /* of pots that are alike: without a colour, as many poisons */
        for (int q = 0; q < p; q++)
            if (pot[p].colour == NO_COLOUR && pot[q].colour == NO_COLOUR &&
                pot[p].total == pot[q].total)
                is_first[p] = 0;
        if (pot[p].colour != NO_COLOUR)
            has_pot[pot[p].colour] = 1;
    }
    legal->n = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        if (!game->hand[seat][kind])
            continue;
        for (int p = 0; p < POTS; p++) {
            int wanted = kind != POISON && has_pot[kind / 5] ? kind / 5 : NO_COLOUR;
            if (is_first[p] && (kind == POISON || pot[p].colour == wanted))
                legal->action[legal->n++] = kind * POTS + p;
        }
    }
}

static int is_safe(const Game *game, int action)
{
    return game->pot[action % POTS].total + VALUE[action / POTS] <= THRESHOLD;
}

/* P-R08: the seat takes what lies in the pot. */
static void take(Game *game, int seat, Pot *pot, const Actions *legal)
{
    int has_safe = 0;
    for (int i = 0; i < legal->n; i++)
        has_safe |= is_safe(game, legal->action[i]);
    game->overflows[seat]++;
    game->forced[seat] += !has_safe;
    for (int kind = 0; kind < POISON; kind++)
        game->pile[seat].colour[kind / 5] += pot->count[kind];
    game->pile[seat].poisons += pot->count[POISON];
    *pot = (Pot){.colour = NO_COLOUR};
}

static void play_card(Game *game, int seat, int action, const Actions *legal)
{
    int kind = action / POTS;
    Pot *pot = &game->pot[action % POTS];
    if (pot->total + VALUE[kind] > THRESHOLD) {
        take(game, seat, pot, legal);
        if (game->first_pot == pot) {
            game->came_back = game->first_seat == seat;
            game->first_pot = NULL;
        }
    }
    if (kind == POISON && game->first_seat == NOBODY) {
        game->first_seat = seat;
        game->first_pot = pot;
    }
    pot->count[kind]++;
    pot->n_cards++;
    pot->total += VALUE[kind];
    if (kind != POISON)
        pot->colour = kind / 5;
    game->hand[seat][kind]--;
    game->n_hand[seat]--;
    game->decisions++;
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

/* P-R11, P-R12 */
static void score_round(Game *game)
{
    int score[SEATS];
    for (int seat = 0; seat < game->players; seat++) {
        const Pile *pile = &game->pile[seat];
        score[seat] = 2 * pile->poisons;
        game->poisons[seat] += pile->poisons;
        game->taken[seat] += pile->poisons;
        for (int colour = 0; colour < COLOURS; colour++) {
            score[seat] += pile->colour[colour];
            game->taken[seat] += pile->colour[colour];
        }
    }
    for (int colour = 0; colour < COLOURS; colour++) {
        int most = 0, n_most = 0, who = 0;
        for (int seat = 0; seat < game->players; seat++) {
            int n = game->pile[seat].colour[colour];
            if (n > most) {
                most = n;
                n_most = 0;
                who = seat;
            }
            n_most += n == most;
        }
        if (most > 0 && n_most == 1) {
            score[who] -= most;
            game->discarded[who] += most;
            game->majorities[who]++;
            if (most > game->largest_majority[who])
                game->largest_majority[who] = most;
        } else if (most > 0) {
            game->tied_colours++;
        }
    }
    for (int pot = 0; pot < POTS; pot++)
        game->left_over += game->pot[pot].n_cards;
    for (int seat = 0; seat < game->players; seat++) {
        game->total[seat] += score[seat];
        if (game->round == 1)
            game->first_round[seat] = score[seat];
    }
    game->first_pot = NULL;
    int leaders = lowest_seats(game);
    if (game->round > 1 && leaders != game->leaders)
        game->lead_changes++;
    game->leaders = leaders;
}

/* P-R13, P-R14 */
static void play_game(Game *game, Strategy *strategy)
{
    game->first_seat = NOBODY;
    for (game->round = 1;; game->round++) {
        open_stream(&game->cards, game->seed, game->deal, FOR_CARDS, (uint64_t)game->round);
        open_stream(&game->chance, game->seed, game->deal, FOR_CHANCE, (uint64_t)game->round);
        if (game->round == 1)
            game->start = game->first_start = below(&game->chance, (uint64_t)game->players);
        else
            game->start = seat_after(game, game->start);
        deal_hands(game);
        for (int pot = 0; pot < POTS; pot++)
            game->pot[pot] = (Pot){.colour = NO_COLOUR};
        memset(game->pile, 0, sizeof game->pile);
        for (int seat = game->start; game->n_hand[seat] > 0; seat = seat_after(game, seat)) {
            Actions legal;
            find_actions(game, seat, &legal);
            play_card(game, seat, strategy[seat](game, seat, &legal), &legal);
        }
        score_round(game);
        if (game->round == game->players)
            return;
    }
}

static void set_results(Row *row, const Game *game)
{
    int winners = lowest_seats(game), n = __builtin_popcount((unsigned)winners);
    row->start = game->first_start;
    for (int seat = 0; seat < game->players; seat++) {
        row->won[seat] = winners >> seat & 1;
        row->win_share[seat] = row->won[seat] ? SHARE_UNIT / n : 0;
        row->score[seat] = game->total[seat];
        row->first_round[seat] = game->first_round[seat];
        row->overflows[seat] = game->overflows[seat];
        row->forced[seat] = game->forced[seat];
        row->taken[seat] = game->taken[seat];
        row->poisons[seat] = game->poisons[seat];
        row->discarded[seat] = game->discarded[seat];
        row->majorities[seat] = game->majorities[seat];
        row->largest_majority[seat] = game->largest_majority[seat];
        row->all_overflows += game->overflows[seat];
        row->all_forced += game->forced[seat];
    }
    row->shared = n > 1;
    row->decisions = game->decisions;
    row->rounds = game->round;
    row->tied_colours = game->tied_colours;
    row->left_over = game->left_over;
    row->lead_changes = game->lead_changes;
    row->came_back = game->came_back;
}

/* The strategies: items 1, 3 and 4 of section 8. */

static int uniform(Game *game, int seat, const Actions *legal)
{
    return legal->action[below(&game->own[seat], (uint64_t)legal->n)];
}

/* The pot that costs least, and the highest card to it. */
static int take_cheapest(const Actions *legal, const int *cost)
{
    int best = legal->action[0];
    for (int i = 1; i < legal->n; i++) {
        int action = legal->action[i], pot = action % POTS, best_pot = best % POTS;
        int is_cheaper = cost[pot] < cost[best_pot] ||
                         (cost[pot] == cost[best_pot] && pot < best_pot);
        if (is_cheaper || (pot == best_pot && VALUE[action / POTS] > VALUE[best / POTS]))
            best = action;
    }
    return best;
}

static int cost_of(const Pot *pot)
{
    return pot->n_cards + pot->count[POISON];
}

/* Among the safe actions one of the highest rank, drawn; -1 if none is safe. */
static int draw_best(Game *game, int seat, const Actions *legal, const int *rank)
{
    int best[ACTIONS], n = 0, highest = -1;
    for (int i = 0; i < legal->n; i++) {
        if (!is_safe(game, legal->action[i]) || rank[i] < highest)
            continue;
        if (rank[i] > highest)
            n = 0;
        highest = rank[i];
        best[n++] = legal->action[i];
    }
    return n ? best[below(&game->own[seat], (uint64_t)n)] : -1;
}

static int highest_safe(Game *game, int seat, const Actions *legal)
{
    int rank[ACTIONS], cost[POTS];
    for (int i = 0; i < legal->n; i++)
        rank[i] = VALUE[legal->action[i] / POTS];
    int action = draw_best(game, seat, legal, rank);
    if (action >= 0)
        return action;
    for (int pot = 0; pot < POTS; pot++)
        cost[pot] = cost_of(&game->pot[pot]);
    return take_cheapest(legal, cost);
}

/* The cost of a pot, without potions of a colour of which the seat would have clearly most. */
static int adjusted_cost(const Game *game, int seat, const Pot *pot)
{
    int n = pot->n_cards - pot->count[POISON];
    if (n > 0) {
        int own = game->pile[seat].colour[pot->colour] + n, most = 0;
        for (int other = 0; other < game->players; other++)
            if (other != seat && game->pile[other].colour[pot->colour] > most)
                most = game->pile[other].colour[pot->colour];
        if (own >= 4 && own - most >= 2)
            return 2 * pot->count[POISON];
    }
    return cost_of(pot);
}

static int careful_poison(Game *game, int seat, const Actions *legal)
{
    int rank[ACTIONS], cost[POTS];
    for (int i = 0; i < legal->n; i++) {
        const Pot *pot = &game->pot[legal->action[i] % POTS];
        int kind = legal->action[i] / POTS;
        int is_full = pot->n_cards >= 3 && pot->total + VALUE[POISON] >= THRESHOLD - 1;
        rank[i] = kind != POISON ? VALUE[kind] : is_full || game->n_hand[seat] < 4 ? 6 : 0;
    }
    int action = draw_best(game, seat, legal, rank);
    if (action >= 0)
        return action;
    for (int pot = 0; pot < POTS; pot++)
        cost[pot] = adjusted_cost(game, seat, &game->pot[pot]);
    return take_cheapest(legal, cost);
}

static const Strategy STRATEGY[] = {uniform, highest_safe, careful_poison};

static void play(int players, uint64_t seed, uint64_t deal, const int *lineup, Row *row)
{
    Game game = {.players = players, .seed = seed, .deal = deal};
    Strategy strategy[SEATS];
    for (int seat = 0; seat < players; seat++) {
        strategy[seat] = STRATEGY[lineup[row->entry[seat]]];
        open_stream(&game.own[seat], seed, deal, FOR_STRATEGY + (uint64_t)seat, 0);
    }
    play_game(&game, strategy);
    set_results(row, &game);
}
