// The timer sources of libdispatch. One that is created on a thread in virtual time is a libdispatch source that never
// fires, and a timer of the run.

#define _GNU_SOURCE

#include <stdint.h>

#include "module.h"

// Functions of libdispatch, which Swift links.
extern char _dispatch_source_type_timer;
extern void *dispatch_get_global_queue(intptr_t identifier, uintptr_t flags);
extern void dispatch_set_context(void *object, void *context);
extern void dispatch_set_finalizer_f(void *object, void (*finalizer)(void *));

static void gone(void *source) { segue_time_hooks_set->timer_gone(source); }

void *dispatch_source_create(const void *type, uintptr_t handle, uintptr_t mask, void *queue) {
    NEXT(dispatch_source_create);
    void *source = next(type, handle, mask, queue);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    if (!hooks || !source || type != &_dispatch_source_type_timer) return source;
    hooks->timer_made(source, queue ? queue : dispatch_get_global_queue(0, 0));
    // A finalizer is called only for objects with a context.
    dispatch_set_context(source, source);
    dispatch_set_finalizer_f(source, gone);
    return source;
}

void dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway) {
    NEXT(dispatch_source_set_timer);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    const int64_t every = interval > INT64_MAX ? INT64_MAX : (int64_t)interval;
    if (hooks && hooks->timer_set(source, segue_time_until(start), every)) return;
    next(source, start, interval, leeway);
}

void dispatch_source_set_event_handler(void *source, const void *block) {
    NEXT(dispatch_source_set_event_handler);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    if (!hooks || !hooks->timer_handler(source, block, false)) next(source, block);
}

void dispatch_source_set_cancel_handler(void *source, const void *block) {
    NEXT(dispatch_source_set_cancel_handler);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    if (!hooks || !hooks->timer_handler(source, block, true)) next(source, block);
}

void dispatch_source_cancel(void *source) {
    NEXT(dispatch_source_cancel);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    if (hooks) hooks->timer_cancelled(source);
    next(source);
}

void dispatch_resume(void *object) {
    NEXT(dispatch_resume);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    if (hooks) hooks->timer_held(object, -1);
    next(object);
}

void dispatch_activate(void *object) {
    NEXT(dispatch_activate);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    if (hooks) hooks->timer_held(object, 0);
    next(object);
}

void dispatch_suspend(void *object) {
    NEXT(dispatch_suspend);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    if (hooks) hooks->timer_held(object, 1);
    next(object);
}
