/* The folder of a store: whether there is one, and whose it is. */
#ifndef HAKEM_STORE_FOLDER_H
#define HAKEM_STORE_FOLDER_H

#include "base/fail.h"

/* A file of the folder; the caller frees. */
char *folder_path(const char *folder, const char *name);

/* Refuses a folder that is not there, or holds no store. */
int folder_check(const char *folder, struct fail *fail) __attribute__((warn_unused_result));

/* Takes the folder for this process: a lock that dies with it, on the descriptor `lock`. */
int folder_lock(const char *folder, int *lock, struct fail *fail)
    __attribute__((warn_unused_result));

#endif
