/*
 * Plays connect four: it completes four in a row, or else stops the other player from it, or else keeps to the middle.
 * Compile it with: cc -O2 -o threes threes.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 7, HEIGHT = 6 };
static char board[WIDTH][HEIGHT]; /* 0 is empty; 1 and 2 are the players */
static int filled[WIDTH];

static int has(int x, int y, int player) {
    return x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT && board[x][y] == player;
}

/* Would a piece of this player in the column make four in a row? */
static int wins(int column, int player) {
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int s = 0; s < 4; s++) {
        int dx = steps[s][0], dy = steps[s][1], y = filled[column], length = 1;
        for (int k = 1; has(column + k * dx, y + k * dy, player); k++) length++;
        for (int k = 1; has(column - k * dx, y - k * dy, player); k++) length++;
        if (length >= 4) return 1;
    }
    return 0;
}

/* Reads the list of numbers after a key, such as "legal":[0,3]; returns how many there are. */
static int numbers(const char *line, const char *key, int *out) {
    const char *at = strstr(line, key);
    int count = 0;
    if (at == NULL) return 0;
    for (at += strlen(key); *at != ']'; at += (*at == ','))
        out[count++] = (int)strtol(at, (char **)&at, 10);
    return count;
}

int main(void) {
    static char line[100000];
    int moves[WIDTH * HEIGHT], legal[WIDTH], player = 1;
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strstr(line, "\"type\":\"hello\"")) {
            if (strstr(line, "\"id\":\"connect-four\"") == NULL)
                puts("{\"type\":\"refuse\",\"reason\":\"it knows connect four alone\"}");
            else
                puts("{\"type\":\"hello\",\"protocol\":1,\"name\":\"threes\",\"wants\":\"numbers\"}");
        } else if (strstr(line, "\"type\":\"new-game\"")) {
            memset(board, 0, sizeof board);
            memset(filled, 0, sizeof filled);
            player = 1;
        } else if (strstr(line, "\"type\":\"decide\"")) {
            int best = -1, liking = -1, count = numbers(line, "\"moves\":[", moves);
            for (int i = 0; i < count; i++, player = 3 - player)
                board[moves[i]][filled[moves[i]]++] = (char)player;
            count = numbers(line, "\"legal\":[", legal);
            for (int i = 0; i < count; i++) {
                int column = legal[i], middle = 3 - abs(column - 3);
                int here = 100 * wins(column, player) + 50 * wins(column, 3 - player) + middle;
                if (here > liking) liking = here, best = column;
            }
            printf("{\"type\":\"decision\",\"action\":%d}\n", best);
        }
        fflush(stdout); /* otherwise the answer would wait in a buffer */
    }
    return 0;
}
