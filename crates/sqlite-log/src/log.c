/* A file layer (VFS) of SQLite above the usual one. It gathers the frames of a transaction and appends them to the log with one
 * write. Without it, SQLite writes each frame with two: 24 bytes of header, and a page. The layer also adds a statement that syncs
 * the database file: PRAGMA bolts_sync.
 *
 * https://www.sqlite.org/walformat.html has the format of the log. The header of the last frame of a transaction has the size of
 * the database in its bytes 4 to 7. The other headers have 0 there.
 *
 * What keeps the log correct:
 * - Everything that is gathered is written before the write of the last page of a transaction returns. Only afterwards SQLite shows
 *   the transaction to other connections.
 * - A frame is gathered only if it follows the frame before it. Any other use of the file first writes the gathered frames.
 * - If the write of gathered frames fails, each later use of these frames fails until the end of the transaction, so SQLite rolls
 *   back. The layer does not write them again. Otherwise the log could contain a transaction that SQLite has reported as failed.
 * - Frames are gathered only while the connection holds the write lock. What is left at its release belongs to a transaction that
 *   was rolled back. It is forgotten, because another connection may write frames to the same place from now on.
 */
#include <string.h>
#include <sqlite3.h>

enum {
  FRAME_HEADER = 24,
  /* The maximum number of gathered bytes. The layer below writes at most 131,071 bytes with one call. */
  ROOM = 120 * 1024,
  /* The lock that a writer holds, among the locks of the shared memory (WAL_WRITE_LOCK). */
  WRITE_LOCK = 0
};

/* What may come next in the log. */
enum Next { ANYTHING, PAGE, LAST_PAGE };

/* The log of one connection. SQLite has allocated it behind the file of the layer below. */
typedef struct Log {
  const sqlite3_io_methods *below;
  sqlite3_io_methods methods;
  struct Database *database;
  /* The gathered bytes, or NULL as long as nothing was gathered. */
  char *gathered;
  int length;
  /* The place of the gathered bytes in the file. */
  sqlite3_int64 start;
  /* The place after the last bytes, or -1. */
  sqlite3_int64 end;
  enum Next next;
  int is_locked;
  /* The error of a write of gathered bytes, and their place. */
  int failed;
  sqlite3_int64 failed_from;
} Log;

/* A database file of one connection. Its functions have the locks of the log. */
typedef struct Database {
  const sqlite3_io_methods *below;
  sqlite3_io_methods methods;
  Log *log;
} Database;

static sqlite3_vfs *usual;

/* The size of a file of the layer below. What comes behind it is aligned. */
static int size_below(void) { return (usual->szOsFile + 7) & ~7; }

static void *behind(sqlite3_file *file) { return (char *)file + size_below(); }

static int write_gathered(sqlite3_file *file, Log *log) {
  if (log->failed != SQLITE_OK || log->length == 0) return log->failed;
  log->failed = log->below->xWrite(file, log->gathered, log->length, log->start);
  log->failed_from = log->start;
  log->length = 0;
  return log->failed;
}

/* The next write stands alone. */
static void begin_again(Log *log) {
  log->end = -1;
  log->next = ANYTHING;
}

/* Notes whether the connection holds the write lock. Forgets gathered bytes and a failure, because they belong to an earlier
 * transaction. */
static void set_locked(Log *log, int is_locked) {
  log->is_locked = is_locked;
  log->length = 0;
  log->failed = SQLITE_OK;
  begin_again(log);
}

/* Writes the bytes, which do not follow the gathered ones. */
static int write_alone(sqlite3_file *file, Log *log, const void *bytes, int count, sqlite3_int64 place) {
  int code = write_gathered(file, log);
  if (code == SQLITE_OK) code = log->below->xWrite(file, bytes, count, place);
  log->end = code == SQLITE_OK ? place + count : -1;
  return code;
}

static int gather(sqlite3_file *file, Log *log, const void *bytes, int count) {
  if (count > ROOM - log->length) {
    int code = write_gathered(file, log);
    if (code != SQLITE_OK) return code;
  }
  if (log->length == 0) log->start = log->end;
  memcpy(log->gathered + log->length, bytes, count);
  log->length += count;
  log->end += count;
  return SQLITE_OK;
}

static enum Next after_header(const unsigned char *header) {
  return header[4] || header[5] || header[6] || header[7] ? LAST_PAGE : PAGE;
}

static int log_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 place) {
  Log *log = behind(file);
  enum Next expected = log->next;
  int is_header = expected == ANYTHING && count == FRAME_HEADER;
  int code;
  if (!log->is_locked) return log->below->xWrite(file, bytes, count, place);
  if (log->failed != SQLITE_OK) return log->failed;
  log->next = is_header ? after_header(bytes) : ANYTHING;
  if (!log->gathered) log->gathered = sqlite3_malloc(ROOM);
  if (!log->gathered || count > ROOM || place != log->end) return write_alone(file, log, bytes, count, place);
  code = gather(file, log, bytes, count);
  if (code != SQLITE_OK || is_header || expected == PAGE) return code;
  return write_gathered(file, log);
}

/* After a transaction has overwritten a frame, its commit reads each later frame and writes only the header again. No page follows, so
 * gathering begins again after each read. After a failed write, SQLite reads committed frames to roll back. These reads succeed, because
 * the frames end before the place of the failed write. */
static int log_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 place) {
  Log *log = behind(file);
  int code = write_gathered(file, log);
  begin_again(log);
  if (code != SQLITE_OK && place + count > log->failed_from) return code;
  return log->below->xRead(file, bytes, count, place);
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) {
  Log *log = behind(file);
  int code = write_gathered(file, log);
  return code == SQLITE_OK ? log->below->xTruncate(file, size) : code;
}

static int log_sync(sqlite3_file *file, int flags) {
  Log *log = behind(file);
  int code = write_gathered(file, log);
  return code == SQLITE_OK ? log->below->xSync(file, flags) : code;
}

static int log_size(sqlite3_file *file, sqlite3_int64 *size) {
  Log *log = behind(file);
  int code = write_gathered(file, log);
  return code == SQLITE_OK ? log->below->xFileSize(file, size) : code;
}

static int log_close(sqlite3_file *file) {
  Log *log = behind(file);
  log->database->log = NULL;
  sqlite3_free(log->gathered);
  file->pMethods = log->below;
  return log->below->xClose(file);
}

static int database_lock(sqlite3_file *file, int first, int count, int flags) {
  Database *database = behind(file);
  int is_write_lock = first == WRITE_LOCK && (flags & SQLITE_SHM_EXCLUSIVE) && database->log;
  int code;
  if (is_write_lock && (flags & SQLITE_SHM_UNLOCK)) set_locked(database->log, 0);
  code = database->below->xShmLock(file, first, count, flags);
  if (is_write_lock && (flags & SQLITE_SHM_LOCK) && code == SQLITE_OK) set_locked(database->log, 1);
  return code;
}

/* Syncs the database file for PRAGMA bolts_sync. The argument of SQLITE_FCNTL_PRAGMA is an array of strings. The second is the name. */
static int database_control(sqlite3_file *file, int operation, void *argument) {
  Database *database = behind(file);
  if (operation == SQLITE_FCNTL_PRAGMA && sqlite3_stricmp(((char **)argument)[1], "bolts_sync") == 0) {
    return database->below->xSync(file, SQLITE_SYNC_NORMAL);
  }
  return database->below->xFileControl(file, operation, argument);
}

static void watch_database(sqlite3_file *file) {
  Database *database = behind(file);
  *database = (Database){.below = file->pMethods, .methods = *file->pMethods};
  database->methods.xShmLock = database_lock;
  database->methods.xFileControl = database_control;
  file->pMethods = &database->methods;
}

static void watch_log(sqlite3_file *file, sqlite3_file *of) {
  Log *log = behind(file);
  *log = (Log){.below = file->pMethods, .methods = *file->pMethods, .database = behind(of), .end = -1};
  log->methods.xWrite = log_write;
  log->methods.xRead = log_read;
  log->methods.xTruncate = log_truncate;
  log->methods.xSync = log_sync;
  log->methods.xFileSize = log_size;
  log->methods.xClose = log_close;
  file->pMethods = &log->methods;
  log->database->log = log;
}

/* Whether the log of this database has a usual form. If the disk can spoil the bytes beside those that it writes, SQLite repeats the
 * last frame until it reaches the end of a sector. */
static int has_usual_log(sqlite3_file *database) {
  const sqlite3_io_methods *methods = database->pMethods;
  return methods && methods->iVersion >= 2 && methods->xShmLock == database_lock &&
         (methods->xDeviceCharacteristics(database) & SQLITE_IOCAP_POWERSAFE_OVERWRITE);
}

static int open_file(sqlite3_vfs *layer, const char *name, sqlite3_file *file, int flags, int *opened) {
  int code = usual->xOpen(usual, name, file, flags, opened);
  (void)layer;
  if (code != SQLITE_OK) return code;
  if (flags & SQLITE_OPEN_MAIN_DB) {
    /* Without shared memory there is no log. */
    if (file->pMethods->iVersion >= 2) watch_database(file);
  } else if (flags & SQLITE_OPEN_WAL) {
    sqlite3_file *database = sqlite3_database_file_object(name);
    if (has_usual_log(database)) watch_log(file, database);
  }
  return SQLITE_OK;
}

/* Makes this layer the default of connections that are opened from now on. Returns a code of SQLite. A process calls it once. */
int bolts_sqlite_log_install(void) {
  static sqlite3_vfs layer;
  usual = sqlite3_vfs_find(NULL);
  if (!usual) return SQLITE_ERROR;
  layer = *usual;
  layer.zName = "bolts";
  layer.pNext = NULL;
  layer.szOsFile = size_below() + (int)(sizeof(Log) > sizeof(Database) ? sizeof(Log) : sizeof(Database));
  layer.xOpen = open_file;
  return sqlite3_vfs_register(&layer, 1);
}
