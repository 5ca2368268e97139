/*
 * Stands between a program and the calls that change files, by LD_PRELOAD. What is done to a file under one folder is counted,
 * logged, and made to fail where the environment says so:
 *
 *   FAULTS_UNDER    the folder, an absolute path without links
 *   FAULTS_LOG      a file that gets a line for each call that counts: its kind and its file; "!" before one that was made to fail
 *   FAULTS_JOURNAL  a file that gets what was written, for images of the disk after a power loss
 *   FAULTS_CALLS    which calls count, a list of open, read, write, sync, truncate, unlink, rename, map
 *   FAULTS_AT       the number of the call that fails, from 1
 *   FAULTS_ON       "1": all calls from there on fail
 *   FAULTS_FAIL     eio, enospc, short (half is written), torn (half is written, from then on nothing), kill
 *
 * A sync is noted and not done: what a disk would hold is computed from the journal. Files of the program are never opened here, since
 * closing one would drop its locks.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES_MAX 4096

enum failure { NONE, FAIL_EIO, FAIL_ENOSPC, FAIL_SHORT, FAIL_TORN, FAIL_KILL };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready;
static char under[PATH_MAX];
static size_t under_length;
static int log_file = -1, journal = -1;
static char calls[256];
static long at, counted;
static int goes_on, has_failed;
static enum failure failure;
/* The name of what is open under a number; NULL for what is not watched. */
static char *names[FILES_MAX];

/* Once a descriptor's own name: paths below the folder, "." for the folder itself. */
static const char *below(const char *path) {
    if (under_length == 0 || strncmp(path, under, under_length) != 0) return NULL;
    if (path[under_length] == 0) return ".";
    return path[under_length] == '/' ? path + under_length + 1 : NULL;
}

/* A descriptor of our own, out of the way of those that the program counts on. */
static int append_to(const char *variable) {
    const char *path = getenv(variable);
    if (!path) return -1;
    int file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) abort();
    int moved = syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, 900);
    if (moved < 0) return file;
    syscall(SYS_close, file);
    return moved;
}

static void prepare(void) {
    if (ready) return;
    ready = 1;
    const char *folder = getenv("FAULTS_UNDER");
    if (!folder) return;
    snprintf(under, sizeof under, "%s", folder);
    under_length = strlen(under);
    log_file = append_to("FAULTS_LOG");
    journal = append_to("FAULTS_JOURNAL");
    const char *chosen = getenv("FAULTS_CALLS");
    snprintf(calls, sizeof calls, ",%s,", chosen ? chosen : "open,write,sync,truncate,unlink,rename,map");
    const char *number = getenv("FAULTS_AT");
    at = number ? atol(number) : 0;
    const char *on = getenv("FAULTS_ON");
    goes_on = on && on[0] == '1';
    const char *what = getenv("FAULTS_FAIL");
    failure = !what                       ? NONE
              : !strcmp(what, "eio")    ? FAIL_EIO
              : !strcmp(what, "enospc") ? FAIL_ENOSPC
              : !strcmp(what, "short")  ? FAIL_SHORT
              : !strcmp(what, "torn")   ? FAIL_TORN
              : !strcmp(what, "kill")   ? FAIL_KILL
                                        : NONE;
}

static void enter(void) {
    pthread_mutex_lock(&lock);
    prepare();
}

static void leave(void) {
    int kept = errno;
    pthread_mutex_unlock(&lock);
    errno = kept;
}

/* Whether the call that is about to be made fails, and how. */
static enum failure counts(const char *kind, const char *name) {
    char wanted[32];
    snprintf(wanted, sizeof wanted, ",%s,", kind);
    if (!strstr(calls, wanted)) return NONE;
    counted++;
    int fails = failure != NONE && at > 0 && (counted == at || (counted > at && (goes_on || (failure == FAIL_TORN && has_failed))));
    if (fails && failure == FAIL_SHORT && strcmp(kind, "write") != 0) fails = 0;
    enum failure own = !fails ? NONE : failure == FAIL_TORN && has_failed ? FAIL_ENOSPC : failure;
    has_failed |= fails;
    if (log_file >= 0) {
        char line[PATH_MAX];
        int length = snprintf(line, sizeof line, "%s%s %s\n", fails ? "!" : "", kind, name);
        if (syscall(SYS_write, log_file, line, (size_t)length) != length) abort();
    }
    if (own == FAIL_KILL && strcmp(kind, "write") != 0) syscall(SYS_kill, getpid(), SIGKILL);
    return own;
}

static int refused(enum failure how) {
    errno = how == FAIL_EIO ? EIO : ENOSPC;
    return -1;
}

/* A record: a line, and behind it what was written. */
static void record(const char *kind, const char *name, const char *more, long long offset, const void *data, size_t length) {
    if (journal < 0) return;
    size_t name_length = strlen(name);
    if (name_length >= 4 && !strcmp(name + name_length - 4, "-shm")) return;
    char line[PATH_MAX];
    int head = snprintf(line, sizeof line, "%s\t%s\t%s\t%lld\t%zu\n", kind, name, more, offset, length);
    struct iovec parts[2] = {{line, (size_t)head}, {(void *)data, length}};
    if (syscall(SYS_writev, journal, parts, length > 0 ? 2 : 1) != (long)(head + length)) abort();
}

static const char *name_of(int file) {
    return file >= 0 && file < FILES_MAX ? names[file] : NULL;
}

/* The name of a path that may not be there yet: its folder without links, and its last part. */
static const char *name_at(int folder, const char *path, char *buffer) {
    if (under_length == 0 || (folder != AT_FDCWD && path[0] != '/')) return NULL;
    char copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", path);
    char *slash = strrchr(copy, '/');
    const char *last = slash ? slash + 1 : copy;
    if (!*last || !strcmp(last, ".") || !strcmp(last, "..")) {
        return realpath(path, buffer) ? below(buffer) : NULL;
    }
    char found[PATH_MAX];
    char folder_name[PATH_MAX];
    snprintf(folder_name, sizeof folder_name, "%.*s", slash ? (int)(slash - copy) : 1, slash ? copy : ".");
    if (slash == copy) snprintf(folder_name, sizeof folder_name, "/");
    if (!realpath(folder_name, found)) return NULL;
    if (snprintf(buffer, PATH_MAX, "%s/%s", found, last) >= PATH_MAX) return NULL;
    return below(buffer);
}

static int opened(int folder, const char *path, int flags, mode_t mode) {
    char buffer[PATH_MAX];
    enter();
    const char *name = name_at(folder, path, buffer);
    if (!name) {
        leave();
        return syscall(SYS_openat, folder, path, flags, mode);
    }
    enum failure how = counts("open", name);
    if (how != NONE && how != FAIL_SHORT && how != FAIL_TORN) {
        int end = refused(how);
        leave();
        return end;
    }
    int is_new = (flags & O_CREAT) && syscall(SYS_faccessat, folder, path, F_OK) != 0;
    int file = syscall(SYS_openat, folder, path, flags, mode);
    if (file >= 0) {
        if (is_new) record("create", name, "", 0, NULL, 0);
        if (!is_new && (flags & O_TRUNC)) record("truncate", name, "", 0, NULL, 0);
        if (file < FILES_MAX) {
            free(names[file]);
            names[file] = strdup(name);
        }
    }
    leave();
    return file;
}

static mode_t mode_of(int flags, va_list rest) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
}

#define OPEN(NAME)                                            \
    int NAME(const char *path, int flags, ...) {              \
        va_list rest;                                         \
        va_start(rest, flags);                                \
        mode_t mode = mode_of(flags, rest);                   \
        va_end(rest);                                         \
        return opened(AT_FDCWD, path, flags, mode);           \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(NAME)                                          \
    int NAME(int folder, const char *path, int flags, ...) {  \
        va_list rest;                                         \
        va_start(rest, flags);                                \
        mode_t mode = mode_of(flags, rest);                   \
        va_end(rest);                                         \
        return opened(folder, path, flags, mode);             \
    }
OPENAT(openat)
OPENAT(openat64)

int close(int file) {
    enter();
    if (file >= 0 && file < FILES_MAX && names[file]) {
        free(names[file]);
        names[file] = NULL;
    }
    int end = syscall(SYS_close, file);
    leave();
    return end;
}

/* Writes at `offset`, or where the file stands if that is negative. */
static ssize_t written(int file, const void *data, size_t length, long long offset) {
    enter();
    const char *name = name_of(file);
    if (!name) {
        leave();
        return offset < 0 ? syscall(SYS_write, file, data, length) : syscall(SYS_pwrite64, file, data, length, offset);
    }
    enum failure how = counts("write", name);
    if (how == FAIL_EIO || how == FAIL_ENOSPC) {
        int end = refused(how);
        leave();
        return end;
    }
    if (how != NONE && length > 1) length /= 2;
    long long place = offset < 0 ? syscall(SYS_lseek, file, 0, SEEK_CUR) : offset;
    ssize_t end = offset < 0 ? syscall(SYS_write, file, data, length) : syscall(SYS_pwrite64, file, data, length, offset);
    if (how == FAIL_KILL) syscall(SYS_kill, getpid(), SIGKILL);
    if (end > 0) record("write", name, "", place, data, (size_t)end);
    leave();
    return end;
}

ssize_t write(int file, const void *data, size_t length) { return written(file, data, length, -1); }
ssize_t pwrite(int file, const void *data, size_t length, off_t offset) { return written(file, data, length, offset); }
ssize_t pwrite64(int file, const void *data, size_t length, off64_t offset) { return written(file, data, length, offset); }

/* Parts of a watched file are written one by one; no caller counts on more. */
static ssize_t gathered(int file, const struct iovec *parts, int count, long long offset) {
    enter();
    int watched = name_of(file) != NULL;
    leave();
    if (!watched) return offset < 0 ? syscall(SYS_writev, file, parts, count) : syscall(SYS_pwritev, file, parts, count, offset, 0);
    ssize_t sum = 0;
    for (int part = 0; part < count; part++) {
        if (parts[part].iov_len == 0) continue;
        ssize_t end = written(file, parts[part].iov_base, parts[part].iov_len, offset < 0 ? -1 : offset + sum);
        if (end < 0) return sum > 0 ? sum : end;
        sum += end;
        if ((size_t)end < parts[part].iov_len) break;
    }
    return sum;
}

ssize_t writev(int file, const struct iovec *parts, int count) { return gathered(file, parts, count, -1); }
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) { return gathered(file, parts, count, offset); }
ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t offset) { return gathered(file, parts, count, offset); }

static ssize_t fetched(int file, void *data, size_t length, long long offset) {
    enter();
    const char *name = name_of(file);
    enum failure how = name ? counts("read", name) : NONE;
    if (how == FAIL_EIO || how == FAIL_ENOSPC) {
        errno = EIO;
        leave();
        return -1;
    }
    leave();
    return offset < 0 ? syscall(SYS_read, file, data, length) : syscall(SYS_pread64, file, data, length, offset);
}

ssize_t read(int file, void *data, size_t length) { return fetched(file, data, length, -1); }
ssize_t pread(int file, void *data, size_t length, off_t offset) { return fetched(file, data, length, offset); }
ssize_t pread64(int file, void *data, size_t length, off64_t offset) { return fetched(file, data, length, offset); }

static int synced(int file, long call) {
    enter();
    const char *name = name_of(file);
    if (!name) {
        leave();
        return syscall(call, file);
    }
    enum failure how = counts("sync", name);
    int end = how == FAIL_EIO || how == FAIL_ENOSPC ? refused(how) : 0;
    struct stat found;
    int is_folder = syscall(SYS_fstat, file, &found) == 0 && S_ISDIR(found.st_mode);
    record(end ? "lose" : is_folder ? "settle" : "sync", name, "", 0, NULL, 0);
    if (end) errno = how == FAIL_EIO ? EIO : ENOSPC;
    leave();
    return end;
}

int fsync(int file) { return synced(file, SYS_fsync); }
int fdatasync(int file) { return synced(file, SYS_fdatasync); }

static int cut(int file, long long length) {
    enter();
    const char *name = name_of(file);
    enum failure how = name ? counts("truncate", name) : NONE;
    int end = how == FAIL_EIO || how == FAIL_ENOSPC ? refused(how) : (int)syscall(SYS_ftruncate, file, length);
    if (name && !end) record("truncate", name, "", length, NULL, 0);
    leave();
    return end;
}

int ftruncate(int file, off_t length) { return cut(file, length); }
int ftruncate64(int file, off64_t length) { return cut(file, length); }

static int removed(int folder, const char *path, int flags) {
    char buffer[PATH_MAX];
    enter();
    const char *name = name_at(folder, path, buffer);
    enum failure how = name ? counts("unlink", name) : NONE;
    int end = how == FAIL_EIO || how == FAIL_ENOSPC ? refused(how) : (int)syscall(SYS_unlinkat, folder, path, flags);
    if (name && !end) record("unlink", name, "", 0, NULL, 0);
    leave();
    return end;
}

int unlink(const char *path) { return removed(AT_FDCWD, path, 0); }
int unlinkat(int folder, const char *path, int flags) { return removed(folder, path, flags); }

static int moved(int folder, const char *path, int into, const char *target) {
    char buffer[PATH_MAX], target_buffer[PATH_MAX];
    enter();
    const char *name = name_at(folder, path, buffer);
    const char *other = name_at(into, target, target_buffer);
    enum failure how = name ? counts("rename", name) : NONE;
    int end = how == FAIL_EIO || how == FAIL_ENOSPC ? refused(how) : (int)syscall(SYS_renameat2, folder, path, into, target, 0);
    if (name && !end) record("rename", name, other ? other : "", 0, NULL, 0);
    leave();
    return end;
}

int rename(const char *path, const char *target) { return moved(AT_FDCWD, path, AT_FDCWD, target); }
int renameat(int folder, const char *path, int into, const char *target) { return moved(folder, path, into, target); }

static void *mapped(void *address, size_t length, int protection, int flags, int file, long long offset) {
    if (file >= 0) {
        enter();
        const char *name = name_of(file);
        enum failure how = name ? counts("map", name) : NONE;
        if (how == FAIL_EIO || how == FAIL_ENOSPC) {
            /* What a call that finds no room or no address says. */
            errno = ENOMEM;
            leave();
            return MAP_FAILED;
        }
        leave();
    }
    return (void *)syscall(SYS_mmap, address, length, protection, flags, file, offset);
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
    return mapped(address, length, protection, flags, file, offset);
}
void *mmap64(void *address, size_t length, int protection, int flags, int file, off64_t offset) {
    return mapped(address, length, protection, flags, file, offset);
}
