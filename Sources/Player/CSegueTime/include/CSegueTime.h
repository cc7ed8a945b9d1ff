#ifndef CSEGUETIME_H
#define CSEGUETIME_H

#include <stdbool.h>
#include <stdint.h>

/// The clocks of a run of virtual time, in nanoseconds. Only threads of the run read them, one at a time.
typedef struct {
    /// The steady clock, since an arbitrary start.
    int64_t uptime;
    /// The offset that makes it the time of day since 1970.
    int64_t epoch;
    /// The run they belong to.
    void *run;
} segue_time_clocks;

/// The clocks this thread reads; null for the machine's own.
const segue_time_clocks *segue_time_entered(void);

/// Makes this thread read the given clocks and hand its work for queues, sleeps and waits to the hooks;
/// null makes it an ordinary thread again.
void segue_time_enter(const segue_time_clocks *clocks);

/// The functions called in place of libdispatch's and libc's on entered threads. `block` is a Block, which the
/// hook copies if it keeps it; `is_barrier` says that nothing else of its queue runs at the same time.
typedef struct {
    void (*async)(void *queue, const void *block, bool is_barrier);
    /// Runs the block after this many nanoseconds.
    void (*after)(int64_t delay, void *queue, const void *block, bool is_barrier);
    void (*sync)(void *queue, const void *block, bool is_barrier);
    /// Like `async`, and leaves the group when the block is done.
    void (*group_async)(void *group, void *queue, const void *block, bool is_barrier);
    /// Runs the block when the group is empty.
    void (*group_notify)(void *group, void *queue, const void *block, bool is_barrier);
    /// Returns whether this thread runs work of the queue, or a barrier of it.
    bool (*is_on)(void *queue, bool as_barrier);
    /// Sleeps for this many nanoseconds.
    void (*sleep)(int64_t delay);
    /// Waits until `is_over(context)` is true, for at most this many nanoseconds, or without limit if negative. Returns
    /// whether it became true.
    bool (*wait)(bool (*is_over)(void *), void *context, int64_t delay, const char *what);
    /// Reports that a semaphore or group a thread waits for may be over; called on all threads.
    void (*signalled)(void *object);
    /// Reports that a timer source was created or destroyed.
    void (*timer_made)(void *source, void *queue);
    void (*timer_gone)(void *source);
    /// Sets a timer: first after this many nanoseconds (never if negative), then at the interval. Returns whether
    /// the timer belongs to a run; so does `timer_handler`, which sets its handler or its cancel handler.
    bool (*timer_set)(void *source, int64_t delay, int64_t interval);
    bool (*timer_handler)(void *source, const void *block, bool is_cancel);
    void (*timer_cancelled)(void *source);
    /// Reports that an object was suspended (1), resumed (-1) or activated (0).
    void (*timer_held)(void *object, int change);
} segue_time_hooks;

/// Sets the hooks, once, before any thread enters.
void segue_time_set_hooks(const segue_time_hooks *hooks);

/// Returns whether a queue is one of libdispatch's own concurrent queues, which ignore barriers.
bool segue_time_is_global(void *queue);

/// Returns whether a queue the program created is concurrent.
bool segue_time_is_concurrent(void *queue);

/// Retains a queue; releases it.
void segue_time_retain_queue(void *queue);
void segue_time_release_queue(void *queue);

/// The name of a queue, owned by the queue.
const char *segue_time_label(void *queue);

/// The main queue.
void *segue_time_main_queue(void);

/// Copies a Block to the heap; calls one; releases a copy.
void *segue_time_copy_block(const void *block);
void segue_time_call_block(const void *block);
void segue_time_release_block(const void *block);

/// Returns whether a group is empty; enters and leaves it.
bool segue_time_is_group_empty(void *group);
void segue_time_enter_group(void *group);
void segue_time_leave_group(void *group);

/// The machine's own steady clock in nanoseconds, on any thread.
int64_t segue_time_real_uptime(void);

/// The number that identifies the task of a Swift concurrency job; 0 for a job
/// without a task, and where Swift's runtime does not provide it.
uint64_t segue_time_task_of_job(void *job);

/// Writes the return addresses of the current calls, innermost first. Returns how many.
int segue_time_calls(void **addresses, int most);

/// The load address of the file that contains an address, and the file's name, which must not be freed; null if none.
const char *segue_time_image(const void *address, uint64_t *base);

/// A demangled Swift name, which the caller frees; null if the name is not Swift's.
char *segue_time_demangled(const char *name);

/// Allows this thread to be interrupted, which libdispatch's threads do not allow by default.
void segue_time_allow_interrupts(void);

/// Makes a thread run `handler` as soon as possible, interrupting its work.
///
/// Returns 0, or the error of the system.
int segue_time_interrupt(uint64_t thread, void (*handler)(int));

/// Waits in real time for a semaphore (`sem_t`), at most `nanoseconds`. Returns whether it was posted.
///
/// In C because Swift finds `timespec` in one module or another, depending on the order of imports.
bool segue_time_wait_semaphore(void *semaphore, int64_t nanoseconds);

#endif
