/* Makes every fsync and fdatasync 2 ms slower, like a disk over a network. Preloaded into the server by row 2 of the bench. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static int after_2_ms(const char *name, int file) {
    const struct timespec wait = {.tv_sec = 0, .tv_nsec = 2000000};
    nanosleep(&wait, NULL);
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    return real(file);
}

int fsync(int file) { return after_2_ms("fsync", file); }

int fdatasync(int file) { return after_2_ms("fdatasync", file); }
