/* Delays or fails syncs and writes. Bolts syncs SQLite's log with fdatasync, and nothing else. SQLite itself uses fsync. BOLTS_TEST_SYNC
   names a file. It contains one word:
   hold  fdatasync waits as long as the file says so.
   fail  fdatasync fails.
   file  fsync of the database file fails.
   full  A write of a page to the database file fails, because the disk is full.
   once  The next write of a page to SQLite's log fails, and the file is removed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

/* Whether the name of an open file has this end. */
static int ends_with(int file, const char *end) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path), last = strlen(end);
    return length > last && memcmp(path + length - last, end, last) == 0;
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

int fsync(int file) {
    if (ends_with(file, ".db") && says("file")) {
        errno = EIO;
        return -1;
    }
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    return real(file);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place) {
    if (count >= 4096 && ends_with(file, "-wal") && says("once")) {
        unlink(getenv("BOLTS_TEST_SYNC"));
        errno = EIO;
        return -1;
    }
    if (count >= 4096 && ends_with(file, ".db") && says("full")) {
        errno = ENOSPC;
        return -1;
    }
    ssize_t (*real)(int, const void *, size_t, off64_t) =
        (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
    return real(file, bytes, count, place);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) { return pwrite64(file, bytes, count, place); }
