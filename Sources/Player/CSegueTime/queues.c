// The queues of libdispatch, as Swift's overlay calls them. Work that a thread in virtual time submits to a queue goes to
// the hooks; all other work goes to libdispatch.

#define _GNU_SOURCE

#include <stddef.h>
#include <string.h>

#include "module.h"

typedef void (*work)(void *);

// Functions of libdispatch and the Blocks runtime, which Swift links.
extern char _dispatch_main_q;
extern char _dispatch_queue_attr_concurrent;
extern void *_Block_copy(const void *block);
extern void _Block_release(const void *block);
extern void dispatch_retain(void *object);
extern void dispatch_release(void *object);
extern void dispatch_group_enter(void *group);
extern void dispatch_group_leave(void *group);
extern const char *dispatch_queue_get_label(void *queue);
extern void *dispatch_queue_get_specific(void *queue, const void *key);
extern void dispatch_queue_set_specific(void *queue, const void *key, void *context, work destructor);

void *segue_time_main_queue(void) { return &_dispatch_main_q; }

void *segue_time_copy_block(const void *block) { return _Block_copy(block); }

void segue_time_release_block(const void *block) { _Block_release(block); }

void segue_time_call_block(const void *block) {
    // A Block is called through its third field, with the Block itself as an argument (Clang's Block-ABI-Apple).
    struct { void *isa; int flags; int reserved; void (*invoke)(const void *); } const *layout = block;
    layout->invoke(block);
}

const char *segue_time_label(void *queue) { return dispatch_queue_get_label(queue); }

// MARK: Concurrent queues

// The address marks a queue that was created as a concurrent one.
static char concurrent;

// Attributes are few, are never freed, and cannot be inspected.
enum { most_attributes = 64 };
static void *_Atomic concurrent_attributes[most_attributes];

static bool is_concurrent_attribute(void *attribute) {
    if (attribute == &_dispatch_queue_attr_concurrent) return true;
    for (int at = 0; attribute && at < most_attributes && concurrent_attributes[at]; at += 1)
        if (concurrent_attributes[at] == attribute) return true;
    return false;
}

static void *derived(void *attribute, void *from) {
    if (!is_concurrent_attribute(from) || is_concurrent_attribute(attribute)) return attribute;
    for (int at = 0; at < most_attributes; at += 1) {
        void *free = 0;
        if (__c11_atomic_compare_exchange_strong(
                &concurrent_attributes[at], &free, attribute, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            break;
    }
    return attribute;
}

void *dispatch_queue_attr_make_with_qos_class(void *from, unsigned int class, int priority) {
    NEXT(dispatch_queue_attr_make_with_qos_class);
    return derived(next(from, class, priority), from);
}

void *dispatch_queue_attr_make_initially_inactive(void *from) {
    NEXT(dispatch_queue_attr_make_initially_inactive);
    return derived(next(from), from);
}

void *dispatch_queue_attr_make_with_autorelease_frequency(void *from, unsigned long frequency) {
    NEXT(dispatch_queue_attr_make_with_autorelease_frequency);
    return derived(next(from, frequency), from);
}

static void *marked(void *queue, void *attribute) {
    if (is_concurrent_attribute(attribute)) dispatch_queue_set_specific(queue, &concurrent, &concurrent, 0);
    return queue;
}

void *dispatch_queue_create(const char *label, void *attribute) {
    NEXT(dispatch_queue_create);
    return marked(next(label, attribute), attribute);
}

void *dispatch_queue_create_with_target(const char *label, void *attribute, void *target) {
    NEXT(dispatch_queue_create_with_target);
    return marked(next(label, attribute, target), attribute);
}

bool segue_time_is_global(void *queue) {
    const char *label = dispatch_queue_get_label(queue);
    return label && strncmp(label, "com.apple.root.", 15) == 0;
}

bool segue_time_is_concurrent(void *queue) { return dispatch_queue_get_specific(queue, &concurrent) == &concurrent; }

void segue_time_retain_queue(void *queue) { dispatch_retain(queue); }

void segue_time_release_queue(void *queue) { dispatch_release(queue); }

// MARK: Barriers

// The function of Blocks that libdispatch creates for work items; null if it is not exported.
extern void (*const _dispatch_block_special_invoke)(const void *) __attribute__((weak));

static bool is_barrier(const void *block) {
    // Such a Block contains private data of libdispatch after its header: a magic number, and its flags.
    struct {
        void *isa;
        int flags, reserved;
        void (*invoke)(const void *);
        void *descriptor;
        unsigned long magic, block_flags;
    } const *layout = block;
    if (!&_dispatch_block_special_invoke || layout->invoke != _dispatch_block_special_invoke) return false;
    return layout->magic == 0xD159B10C && (layout->block_flags & 1);
}

// MARK: Submission

void dispatch_async(void *queue, const void *block) {
    NEXT(dispatch_async);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    hooks ? hooks->async(queue, block, is_barrier(block)) : next(queue, block);
}

void dispatch_barrier_async(void *queue, const void *block) {
    NEXT(dispatch_barrier_async);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    hooks ? hooks->async(queue, block, true) : next(queue, block);
}

void dispatch_sync(void *queue, const void *block) {
    NEXT(dispatch_sync);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    hooks ? hooks->sync(queue, block, is_barrier(block)) : next(queue, block);
}

void dispatch_barrier_sync(void *queue, const void *block) {
    NEXT(dispatch_barrier_sync);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    hooks ? hooks->sync(queue, block, true) : next(queue, block);
}

// MARK: Points in time

// libdispatch's encoding, in which two bits select the clock.
static const uint64_t monotonic_bit = 1ull << 63, wall_bits = 3ull << 62;

int64_t segue_time_until(uint64_t when) {
    const segue_time_clocks *clocks = segue_time_clocks_of_thread;
    if (when == UINT64_MAX) return -1;
    if (when == 0) return 0;
    int64_t left;
    if ((when & wall_bits) == wall_bits)
        left = (int64_t)(0 - when) - (clocks->uptime + clocks->epoch);
    else
        left = (int64_t)(when & ~monotonic_bit) - clocks->uptime;
    return left < 0 ? 0 : left;
}

void dispatch_after(uint64_t when, void *queue, const void *block) {
    NEXT(dispatch_after);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    if (!hooks) return next(when, queue, block);
    int64_t delay = segue_time_until(when);
    if (delay >= 0) hooks->after(delay, queue, block, is_barrier(block));
}

// MARK: Waiting

typedef intptr_t (*waiting)(void *, uint64_t);

static bool has_signal(void *semaphore) {
    static waiting wait;
    if (!wait) wait = (waiting)segue_time_next("dispatch_semaphore_wait");
    return wait(semaphore, 0) == 0;
}

bool segue_time_is_group_empty(void *group) {
    static waiting wait;
    if (!wait) wait = (waiting)segue_time_next("dispatch_group_wait");
    return wait(group, 0) == 0;
}

/// Waits with libdispatch, or on a thread in virtual time with the hooks.
static intptr_t wait_for(void *object, uint64_t when, waiting wait, bool (*is_over)(void *), const char *what) {
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    if (!hooks) return wait(object, when);
    return is_over(object) || hooks->wait(is_over, object, segue_time_until(when), what) ? 0 : 1;
}

intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t when) {
    NEXT(dispatch_semaphore_wait);
    return wait_for(semaphore, when, next, has_signal, "a semaphore");
}

intptr_t dispatch_group_wait(void *group, uint64_t when) {
    NEXT(dispatch_group_wait);
    return wait_for(group, when, next, segue_time_is_group_empty, "a group");
}

intptr_t dispatch_semaphore_signal(void *semaphore) {
    NEXT(dispatch_semaphore_signal);
    intptr_t woken = next(semaphore);
    if (segue_time_hooks_set) segue_time_hooks_set->signalled(semaphore);
    return woken;
}

void segue_time_enter_group(void *group) { dispatch_group_enter(group); }

void segue_time_leave_group(void *group) { dispatch_group_leave(group); }

void dispatch_group_leave(void *group) {
    NEXT(dispatch_group_leave);
    next(group);
    if (segue_time_hooks_set) segue_time_hooks_set->signalled(group);
}

void dispatch_group_async(void *group, void *queue, const void *block) {
    NEXT(dispatch_group_async);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    hooks ? hooks->group_async(group, queue, block, is_barrier(block)) : next(group, queue, block);
}

void dispatch_group_notify(void *group, void *queue, const void *block) {
    NEXT(dispatch_group_notify);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    hooks ? hooks->group_notify(group, queue, block, is_barrier(block)) : next(group, queue, block);
}

void dispatch_apply(size_t count, void *queue, const void *block) {
    NEXT(dispatch_apply);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    if (!hooks) return next(count, queue, block);
    struct { void *isa; int flags; int reserved; void (*invoke)(const void *, size_t); } const *layout = block;
    for (size_t index = 0; index < count; index += 1) layout->invoke(block, index);
}

void dispatch_assert_queue(void *queue) {
    NEXT(dispatch_assert_queue);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    if (!hooks || !hooks->is_on(queue, false)) next(queue);
}

void dispatch_assert_queue_barrier(void *queue) {
    NEXT(dispatch_assert_queue_barrier);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    if (!hooks || !hooks->is_on(queue, true)) next(queue);
}
