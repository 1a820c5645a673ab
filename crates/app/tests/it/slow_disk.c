/* Delays or fails fdatasync. Bolts syncs SQLite's log with it, and nothing else. BOLTS_TEST_SYNC names a file: while it has the word
   'hold', fdatasync waits, and with the word 'fail' it fails. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int says(const char *word) {
    char found[5] = "";
    FILE *order = fopen(getenv("BOLTS_TEST_SYNC"), "r");
    if (!order) {
        return 0;
    }
    int is_word = fgets(found, sizeof found, order) && strcmp(found, word) == 0;
    fclose(order);
    return is_word;
}

int fdatasync(int file) {
    while (says("hold")) {
        const struct timespec pause = {.tv_sec = 0, .tv_nsec = 5000000};
        nanosleep(&pause, NULL);
    }
    if (says("fail")) {
        errno = EIO;
        return -1;
    }
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    return real(file);
}
