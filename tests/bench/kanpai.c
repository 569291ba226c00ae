/* 干杯 in plain C, default rules: the measure of our speed and a second opinion on our results.

   Written as one writes C from the rule sheet (ids K-Rnn): a struct, areas as five counts, loops
   over places and glasses, strategies behind function pointers, sums of the results. The compiler
   may do what it can (gcc -O3 -march=native); nothing is tuned by hand. What our engine has besides
   (other rule switches, what a person remembers, legality tests, cross products, histograms) is
   left out. Random streams, shuffle and draws are ours, so that the same seeds give the same games.

   card = big * 5 + small. Places: the real seats, behind them the dummy if their number is odd.
*/
#define SEATS 6
#define SEAT_MEASURES(X)                                                                           \
    X(turns) X(returns) X(team_size) X(short_team) X(won_short) X(start_team) X(won_start)         \
    X(three_kinds) X(won_three) X(own_area)
#define GAME_MEASURES(X)                                                                           \
    X(rounds) X(clinks) X(sends) X(self_toasts) X(dummy_toasts) X(hands_returned) X(overflows)     \
    X(passes) X(deck_left) X(won_by_toast) X(won_by_clink) X(won_by_send) X(dummy_won)             \
    X(second_lead) X(winning_cards) X(undelivered) X(teams_won) X(team_0_won)                  \
    X(team_1_won) X(team_2_won)
#include "twin.h"

enum { GLASSES = 5, CARDS = 25, DECK = 60, COPIES = 3, HAND = 4, CAP = 6, MAX_TURNS = 300 };
enum { FINISHED, UNFINISHED, DRAW, RUNNING };
enum { TOAST, CLINK, SEND, RETURN, PASS };
enum { NONE = -1, RECIPES = 50 };

/* The recipes in the order in which our engine numbers them: by kinds, then by counts. */

static int recipe[RECIPES][GLASSES], weight[RECIPES];

__attribute__((constructor)) static void list_recipes(void)
{
    int n = 0;
    for (int n_kinds = 3; n_kinds <= 4; n_kinds++)
        for (int kinds = 0; kinds < 1 << GLASSES; kinds++)
            for (int code = 0; code < 243 && __builtin_popcount(kinds) == n_kinds; code++) {
                int count[GLASSES], rest = code, sum = 0, fits = 1;
                for (int glass = GLASSES - 1; glass >= 0; glass--, rest /= 3) {
                    count[glass] = rest % 3;
                    sum += count[glass];
                    fits &= (count[glass] > 0) == (kinds >> glass & 1);
                }
                if (!fits || sum != 5)
                    continue;
                memcpy(recipe[n], count, sizeof count);
                weight[n++] = n_kinds == 3 ? 4 : 8;
            }
}

/* The game. */

typedef struct {
    int kind, card, glass, to;
} Action;

typedef struct {
    int players, ring, decider[SEATS], limit[SEATS], members[2];
    Stream cards, chance, own[SEATS]; /* own: each strategy's */
    int hand[SEATS][HAND], n_hand[SEATS], area[SEATS][GLASSES];
    int deck[DECK], top;
    int recipe[2];
    int start, active, turn, last, passed, winner, won_at, decisions;
    int clinks, sends, self_toasts, dummy_toasts, overflows, passes, turns[SEATS], returns[SEATS];
    int winning_cards, undelivered;
} Game;

typedef struct {
    Action (*act)(Game *game, int seat);
    void (*split)(Game *game, int seat, int target, int card, int *x, int *y);
    int (*overflow)(Game *game, int seat, int place);
} Strategy;

static int total(const int *area)
{
    int n = 0;
    for (int glass = 0; glass < GLASSES; glass++)
        n += area[glass];
    return n;
}

/* K-R10 */
static int is_complete(const int *want, const int *area)
{
    for (int glass = 0; glass < GLASSES; glass++)
        if (area[glass] < want[glass] || (area[glass] && !want[glass]))
            return 0;
    return 1;
}

/* K-R06: whether x and y may receive the cards of a clink of the target. */
static int is_pair(int target, int x, int y)
{
    return x != y && x != target && y != target && (x % 2 != target % 2 || y % 2 != target % 2);
}

static void draw_card(Game *game, int seat)
{
    game->hand[seat][game->n_hand[seat]++] = game->deck[game->top++];
}

static void start_game(Game *game)
{
    game->start = below(&game->chance, (uint64_t)game->players);
    for (int team = 0; team < 2; team++) { /* K-R03 */
        int draw = below(&game->chance, 280), index = 0;
        while (draw >= weight[index])
            draw -= weight[index++];
        game->recipe[team] = index;
    }
    int n = 0;
    for (int card = 0; card < CARDS; card++)
        for (int copy = 0; copy < COPIES && card / GLASSES != card % GLASSES; copy++)
            game->deck[n++] = card;
    shuffle(&game->cards, game->deck, DECK);
    for (int k = 0; k < HAND; k++)
        for (int place = 0; place < game->players; place++) {
            int seat = (game->start + place) % game->players;
            if (k < game->limit[seat])
                draw_card(game, seat);
        }
}

/* K-R05, K-R06 */
static void toast(Game *game, const Strategy *const *strategy, int seat, int card, int to)
{
    int k = 0, big = card / GLASSES, small = card % GLASSES;
    while (game->hand[seat][k] != card)
        k++;
    game->hand[seat][k] = game->hand[seat][--game->n_hand[seat]];
    game->self_toasts += to == seat;
    game->dummy_toasts += to >= game->players;
    if (!game->area[to][small]) {
        game->area[to][big]++;
        game->last = TOAST;
        return;
    }
    game->last = CLINK;
    game->clinks++;
    game->area[to][small]--;
    int x, y, splitter = game->decider[to];
    game->decisions++;
    strategy[splitter]->split(game, splitter, to, card, &x, &y);
    game->area[x][big]++;
    game->area[y][small]++;
}

/* Whether a card of the hand would complete an area, and whether all of them clink there. */
static void count_winning_card(Game *game, int seat)
{
    int completes = 0, delivers = 0;
    for (int place = seat % 2; place < game->ring; place += 2) {
        int *area = game->area[place];
        if (total(area) < 4)
            continue;
        for (int k = 0; k < game->n_hand[seat]; k++) {
            int big = game->hand[seat][k] / GLASSES, small = game->hand[seat][k] % GLASSES;
            area[big]++;
            int is_winning = is_complete(recipe[game->recipe[seat % 2]], area);
            area[big]--;
            completes |= is_winning;
            delivers |= is_winning && !area[small];
        }
    }
    game->winning_cards += completes;
    game->undelivered += completes - delivers;
}

static void act(Game *game, const Strategy *const *strategy, int seat)
{
    count_winning_card(game, seat);
    if (!game->n_hand[seat] && !total(game->area[seat])) {
        game->last = PASS;
        game->passes++;
        return;
    }
    game->passed = 0;
    game->decisions++;
    Action action = strategy[seat]->act(game, seat);
    if (action.kind == TOAST) {
        toast(game, strategy, seat, action.card, action.to);
    } else if (action.kind == SEND) { /* K-R07 */
        game->area[seat][action.glass]--;
        game->area[action.to][action.glass]++;
        game->sends++;
        game->last = SEND;
    } else { /* K-R08 */
        game->n_hand[seat] = 0;
        game->returns[seat]++;
        game->last = RETURN;
    }
}

/* Play a turn; returns how the game stands after it. */
static int play_turn(Game *game, const Strategy *const *strategy)
{
    int seat = game->active, drawn = 0;
    game->turn++;
    game->turns[seat]++;
    act(game, strategy, seat);
    for (int i = 0; i < game->ring; i++) { /* K-R09 */
        int place = (seat + i) % game->ring;
        while (total(game->area[place]) > CAP) {
            int chooser = game->decider[place];
            game->decisions++;
            game->area[place][strategy[chooser]->overflow(game, chooser, place)]--;
            game->overflows++;
        }
    }
    for (int i = 0; i < game->ring; i++) { /* K-R10 */
        int place = (seat + i) % game->ring, team = place % 2;
        if (is_complete(recipe[game->recipe[team]], game->area[place])) {
            game->winner = team;
            game->won_at = place;
            return FINISHED;
        }
    }
    for (; game->n_hand[seat] < game->limit[seat] && game->top < DECK; drawn = 1) /* K-R11 */
        draw_card(game, seat);
    if (game->last == PASS && !drawn)
        game->passed |= 1 << seat;
    if (game->passed == (1 << game->players) - 1)
        return DRAW;
    game->active = (seat + 1) % game->players;
    return game->turn == MAX_TURNS ? UNFINISHED : RUNNING;
}

static void set_results(Row *row, const Game *game, int status)
{
    int n = game->players, smallest = game->members[0];
    if (game->members[1] < smallest)
        smallest = game->members[1];
    row->status = status;
    row->start = game->start;
    for (int seat = 0; seat < n; seat++) {
        int team = seat % 2, kinds = 0, won = team == game->winner;
        for (int glass = 0; glass < GLASSES; glass++)
            kinds += recipe[game->recipe[team]][glass] > 0;
        row->won[seat] = won;
        row->win_share[seat] = won ? SHARE_UNIT / game->members[team] : 0;
        row->turns[seat] = game->turns[seat];
        row->returns[seat] = game->returns[seat];
        row->team_size[seat] = game->members[team];
        row->short_team[seat] = game->members[team] == smallest && n > 2 * smallest;
        row->won_short[seat] = row->short_team[seat] && won;
        row->start_team[seat] = team == game->start % 2;
        row->won_start[seat] = row->start_team[seat] && won;
        row->three_kinds[seat] = kinds == 3;
        row->won_three[seat] = kinds == 3 && won;
        row->own_area[seat] = game->won_at == seat;
        row->hands_returned += game->returns[seat];
    }
    int is_won = game->winner != NONE;
    row->nobody = !is_won;
    row->shared = 0; /* mates win together: no other team does */
    row->unfinished = status == UNFINISHED;
    row->draw = status == DRAW;
    row->decisions = game->decisions;
    row->rounds = game->turn;
    row->clinks = game->clinks;
    row->sends = game->sends;
    row->self_toasts = game->self_toasts;
    row->dummy_toasts = game->dummy_toasts;
    row->overflows = game->overflows;
    row->passes = game->passes;
    row->deck_left = DECK - game->top;
    row->won_by_toast = is_won && game->last == TOAST;
    row->won_by_clink = is_won && game->last == CLINK;
    row->won_by_send = is_won && game->last == SEND;
    row->dummy_won = is_won && game->won_at >= n;
    row->second_lead = is_won ? 2 * game->winner - 1 : 0;
    row->winning_cards = game->winning_cards;
    row->undelivered = game->undelivered;
    row->teams_won = is_won;
    row->team_0_won = is_won && game->winner == 0;
    row->team_1_won = is_won && game->winner == 1;
}

/* uniform: section 8, item 1. */

/* The different cards of a hand in ascending order. */
static int different_cards(const Game *game, int seat, int *cards)
{
    int n = 0;
    unsigned held = 0;
    for (int k = 0; k < game->n_hand[seat]; k++)
        held |= 1u << game->hand[seat][k];
    for (; held; held &= held - 1)
        cards[n++] = __builtin_ctz(held);
    return n;
}

static int kth_glass(const int *area, int k)
{
    int glass = 0;
    for (; !area[glass] || k > 0; glass++)
        k -= area[glass] > 0;
    return glass;
}

static int n_kinds(const int *area)
{
    int n = 0;
    for (int glass = 0; glass < GLASSES; glass++)
        n += area[glass] > 0;
    return n;
}

static Action uniform_act(Game *game, int seat)
{
    int cards[HAND], ring = game->ring;
    int n_toasts = different_cards(game, seat, cards) * ring;
    int n_sends = n_kinds(game->area[seat]) * (ring - 1);
    int k = below(&game->own[seat], (uint64_t)(n_toasts + n_sends + (game->n_hand[seat] > 0)));
    if (k < n_toasts)
        return (Action){TOAST, cards[k / ring], NONE, k % ring};
    k -= n_toasts;
    if (k >= n_sends)
        return (Action){RETURN, NONE, NONE, NONE};
    int to = k % (ring - 1);
    return (Action){SEND, NONE, kth_glass(game->area[seat], k / (ring - 1)), to + (to >= seat)};
}

static void uniform_split(Game *game, int seat, int target, int card, int *x, int *y)
{
    int pairs[SEATS * SEATS], n = 0;
    (void)card;
    for (int a = 0; a < game->ring; a++)
        for (int b = 0; b < game->ring; b++)
            if (is_pair(target, a, b))
                pairs[n++] = a * SEATS + b;
    int pair = pairs[below(&game->own[seat], (uint64_t)n)];
    *x = pair / SEATS;
    *y = pair % SEATS;
}

static int uniform_overflow(Game *game, int seat, int place)
{
    int n = n_kinds(game->area[place]);
    return kth_glass(game->area[place], below(&game->own[seat], (uint64_t)n));
}

/* greedy_team: section 8, item 3. Areas are worth 2^-distance, in parts of UNIT. */

enum { UNIT = 1 << 20, A_LITTLE = UNIT / 1024 };

static int worth(const int *want, const int *area)
{
    int distance = 0;
    for (int glass = 0; glass < GLASSES; glass++)
        distance += !want[glass]                  ? area[glass]
                    : want[glass] > area[glass] ? want[glass] - area[glass]
                                                : 0;
    return UNIT >> distance;
}

static int value(const Game *game, int team)
{
    int sum = 0;
    for (int place = team; place < game->ring; place += 2)
        sum += worth(recipe[game->recipe[team]], game->area[place]);
    return sum;
}

/* Unwanted glasses first, then the most redundant. */
static int worst_glass(const int *want, const int *area)
{
    int worst = NONE, least = 0;
    for (int glass = 0; glass < GLASSES; glass++) {
        int need = want[glass] ? want[glass] - area[glass] : -100;
        if (area[glass] && (worst == NONE || need < least)) {
            worst = glass;
            least = need;
        }
    }
    return worst;
}

/* Put a glass into an area; an overfull one of the team discards its worst, which is returned. */
static int add_glass(Game *game, int team, int place, int glass)
{
    int *area = game->area[place];
    area[glass]++;
    if (place % 2 != team || total(area) <= CAP)
        return NONE;
    int dropped = worst_glass(recipe[game->recipe[team]], area);
    area[dropped]--;
    return dropped;
}

static void take_back(Game *game, int place, int glass, int dropped)
{
    game->area[place][glass]--;
    if (dropped != NONE)
        game->area[place][dropped]++;
}

/* The best pair of receivers for the team (`sign` 1), or the worst (-1). */
static int best_pair(Game *game, int team, int target, int card, int sign, int *x, int *y)
{
    int best = 0, is_first = 1, big = card / GLASSES, small = card % GLASSES;
    for (int a = 0; a < game->ring; a++)
        for (int b = 0; b < game->ring; b++) {
            if (!is_pair(target, a, b))
                continue;
            int from_a = add_glass(game, team, a, big), from_b = add_glass(game, team, b, small);
            int found = sign * value(game, team);
            take_back(game, b, small, from_b);
            take_back(game, a, big, from_a);
            if (is_first || found > best) {
                best = found;
                is_first = 0;
                *x = a;
                *y = b;
            }
        }
    return sign * best;
}

static int value_of_toast(Game *game, int team, int card, int to)
{
    int big = card / GLASSES, small = card % GLASSES, found, x, y;
    if (game->area[to][small]) {
        game->area[to][small]--;
        found = best_pair(game, team, to, card, to % 2 == team ? 1 : -1, &x, &y);
        game->area[to][small]++;
    } else {
        int dropped = add_glass(game, team, to, big);
        found = value(game, team);
        take_back(game, to, big, dropped);
    }
    return found;
}

static int value_of_send(Game *game, int team, int seat, int glass, int to)
{
    game->area[seat][glass]--;
    int dropped = add_glass(game, team, to, glass);
    int found = value(game, team);
    take_back(game, to, glass, dropped);
    game->area[seat][glass]++;
    return found;
}

static Action greedy_act(Game *game, int seat)
{
    int cards[HAND], n = different_cards(game, seat, cards), team = seat % 2, best = -1;
    Action chosen = {RETURN, NONE, NONE, NONE};
    if (n)
        best = value(game, team) + A_LITTLE;
    for (int steps = 0; steps < game->ring; steps++) {
        int to = (seat + steps) % game->ring;
        for (int k = 0; k < n; k++) {
            int found = value_of_toast(game, team, cards[k], to);
            if (found > best) {
                best = found;
                chosen = (Action){TOAST, cards[k], NONE, to};
            }
        }
        for (int glass = 0; glass < GLASSES && to != seat; glass++) {
            if (!game->area[seat][glass])
                continue;
            int found = value_of_send(game, team, seat, glass, to);
            if (found > best) {
                best = found;
                chosen = (Action){SEND, NONE, glass, to};
            }
        }
    }
    return chosen;
}

static void greedy_split(Game *game, int seat, int target, int card, int *x, int *y)
{
    best_pair(game, seat % 2, target, card, 1, x, y);
}

static int greedy_overflow(Game *game, int seat, int place)
{
    return worst_glass(recipe[game->recipe[seat % 2]], game->area[place]);
}

/* self_collect: section 8, item 2; splits and discards as greedy_team. */

static Action collect_act(Game *game, int seat)
{
    int cards[HAND], n = different_cards(game, seat, cards), chosen = NONE, most = 0;
    const int *area = game->area[seat], *want = recipe[game->recipe[seat % 2]];
    for (int k = 0; k < n; k++) {
        int lacks = want[cards[k] / GLASSES] - area[cards[k] / GLASSES];
        if (lacks > most && !area[cards[k] % GLASSES]) {
            most = lacks;
            chosen = cards[k];
        }
    }
    if (chosen != NONE)
        return (Action){TOAST, chosen, NONE, seat};
    int other = (seat + 1) % game->ring;
    while (other % 2 == seat % 2)
        other = (other + 1) % game->ring;
    for (int glass = 0; glass < GLASSES; glass++)
        if (area[glass] && !want[glass])
            return (Action){SEND, NONE, glass, other};
    if (n)
        return (Action){RETURN, NONE, NONE, NONE};
    return (Action){SEND, NONE, kth_glass(area, 0), other};
}

static const Strategy UNIFORM = {uniform_act, uniform_split, uniform_overflow};
static const Strategy GREEDY = {greedy_act, greedy_split, greedy_overflow};
static const Strategy COLLECT = {collect_act, greedy_split, greedy_overflow};
static const Strategy *const STRATEGY[] = {&UNIFORM, &GREEDY, &COLLECT};

static Game new_game(int players, uint64_t seed, uint64_t deal)
{
    Game game = {.players = players, .ring = players + players % 2, .winner = NONE, .won_at = NONE};
    for (int seat = 0; seat < players; seat++) {
        game.decider[seat] = seat;
        game.members[seat % 2]++;
        game.limit[seat] = players % 2 && seat % 2 ? 4 : 3;
        open_stream(&game.own[seat], seed, deal, FOR_STRATEGY + (uint64_t)seat, 0);
    }
    if (players % 2)
        game.decider[players] = 1;
    open_stream(&game.cards, seed, deal, FOR_CARDS, 1);
    open_stream(&game.chance, seed, deal, FOR_CHANCE, 1);
    return game;
}

static void play(int players, uint64_t seed, uint64_t deal, const int *lineup, Row *row)
{
    Game game = new_game(players, seed, deal);
    const Strategy *strategy[SEATS];
    for (int seat = 0; seat < players; seat++)
        strategy[seat] = STRATEGY[lineup[row->entry[seat]]];
    start_game(&game);
    game.active = game.start;
    int status = RUNNING;
    while (status == RUNNING)
        status = play_turn(&game, strategy);
    set_results(row, &game, status);
}
