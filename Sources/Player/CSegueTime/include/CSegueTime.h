#ifndef CSEGUETIME_H
#define CSEGUETIME_H

#include <stdbool.h>
#include <stdint.h>

/// The clocks of a run of virtual time, in nanoseconds. Only threads of the run read them, one at a time.
typedef struct {
    /// Since an arbitrary beginning: what steady clocks show.
    int64_t uptime;
    /// What is added for the time of day since 1970.
    int64_t epoch;
    /// The run that they belong to.
    void *run;
} segue_time_clocks;

/// The clocks that this thread reads; null for the machine's own.
const segue_time_clocks *segue_time_entered(void);

/// Has this thread read other clocks than the machine's, and hand what it gives to queues, sleeps and waits to the hooks;
/// null has it be an ordinary thread again.
void segue_time_enter(const segue_time_clocks *clocks);

/// What is called in place of libdispatch's and libc's own on threads that have entered. `block` is a Block that the hook
/// copies where it keeps it; `is_barrier` tells that nothing else of its queue is done beside it.
typedef struct {
    void (*async)(void *queue, const void *block, bool is_barrier);
    /// After so many nanoseconds.
    void (*after)(int64_t delay, void *queue, const void *block, bool is_barrier);
    void (*sync)(void *queue, const void *block, bool is_barrier);
    /// The same as `async`, and the group is left when it is done.
    void (*group_async)(void *group, void *queue, const void *block, bool is_barrier);
    /// Once the group is empty.
    void (*group_notify)(void *group, void *queue, const void *block, bool is_barrier);
    /// Whether this thread runs something of a queue, or a barrier of it.
    bool (*is_on)(void *queue, bool as_barrier);
    /// Sleeps for so many nanoseconds.
    void (*sleep)(int64_t delay);
    /// Waits until `is_over(context)` says so, at most so many nanoseconds, for ever where that is negative; whether it
    /// does.
    bool (*wait)(bool (*is_over)(void *), void *context, int64_t delay, const char *what);
    /// A semaphore or a group may be over that a thread waits for; called on all threads.
    void (*signalled)(void *object);
    /// A source that is a timer was made, or is no more.
    void (*timer_made)(void *source, void *queue);
    void (*timer_gone)(void *source);
    /// A timer is set: after so many nanoseconds, never where that is negative, and every so many from then on. Whether it
    /// is one of a run; so, too, for its handler, and the one for its end.
    bool (*timer_set)(void *source, int64_t delay, int64_t interval);
    bool (*timer_handler)(void *source, const void *block, bool is_cancel);
    void (*timer_cancelled)(void *source);
    /// An object is suspended (1), resumed (-1) or activated (0).
    void (*timer_held)(void *object, int change);
} segue_time_hooks;

/// Sets the hooks, once, before any thread enters.
void segue_time_set_hooks(const segue_time_hooks *hooks);

/// Whether a queue is one of libdispatch's own, which do several things at a time and know no barriers.
bool segue_time_is_global(void *queue);

/// Whether a queue of somebody's own may do several things at a time.
bool segue_time_is_concurrent(void *queue);

/// Keeps a queue; lets go of it.
void segue_time_retain_queue(void *queue);
void segue_time_release_queue(void *queue);

/// The name of a queue, which it owns.
const char *segue_time_label(void *queue);

/// The main queue.
void *segue_time_main_queue(void);

/// A copy of a Block, for the heap; calls one; lets go of a copy.
void *segue_time_copy_block(const void *block);
void segue_time_call_block(const void *block);
void segue_time_release_block(const void *block);

/// Whether nothing is in a group; enters and leaves it.
bool segue_time_is_group_empty(void *group);
void segue_time_enter_group(void *group);
void segue_time_leave_group(void *group);

/// Nanoseconds of the machine's own steady clock, on whatever thread.
int64_t segue_time_real_uptime(void);

/// The number that tells a task from others, of a job of Swift's concurrency; 0 for a job
/// that is none, and where Swift's runtime does not tell.
uint64_t segue_time_task_of_job(void *job);

/// The return addresses of the calls that the caller is in, innermost first; how many.
int segue_time_calls(void **addresses, int most);

/// Where the file lies in memory that an address belongs to, and the file's name, which nobody frees; null for none.
const char *segue_time_image(const void *address, uint64_t *base);

/// A name of Swift's for people, to be freed; null where it is none.
char *segue_time_demangled(const char *name);

/// Lets this thread be interrupted, which threads that come of libdispatch's are not.
void segue_time_allow_interrupts(void);

/// Has a thread run `handler` as soon as it can, in the midst of what it does.
///
/// Returns 0, or the error of the system.
int segue_time_interrupt(uint64_t thread, void (*handler)(int));

/// Waits in real time for a semaphore (`sem_t`), at most `nanoseconds`. Returns whether it was posted.
///
/// In C because Swift finds `timespec` in one module or another, depending on the order of imports.
bool segue_time_wait_semaphore(void *semaphore, int64_t nanoseconds);

#endif
