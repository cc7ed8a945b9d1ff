// Declarations shared by the files of this module.

#ifndef CSEGUETIME_MODULE_H
#define CSEGUETIME_MODULE_H

#include "CSegueTime.h"

/// The clocks that this thread reads; null for those of the machine.
extern __thread const segue_time_clocks *segue_time_clocks_of_thread;

/// The hooks; null before they are set.
extern const segue_time_hooks *segue_time_hooks_set;

/// The hooks if this thread is in virtual time; otherwise null.
static inline const segue_time_hooks *segue_time_hooks_of_thread(void) {
    return segue_time_clocks_of_thread ? segue_time_hooks_set : 0;
}

/// Returns the nanoseconds until a time of libdispatch, by this thread's clocks; -1 for a time that never comes.
int64_t segue_time_until(uint64_t when);

/// Returns the function of this name in the libraries that are loaded after this one.
void *segue_time_next(const char *name);

/// The function of the same name and type as `function` that would have been called without this module, looked up once.
#define NEXT(function)                                                       \
    static __typeof__(&function) next;                                       \
    if (!next) next = (__typeof__(&function))segue_time_next(#function)

#endif
