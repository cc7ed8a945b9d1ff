// Lazy loading of libavfilter. It depends on about thirty libraries, a quarter of all dynamic linking at startup, and
// most work needs no filter. These functions have libavfilter's names and forward their arguments.
#include "CSegueFFmpeg.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#define TEXT(number) #number
#define NAME(version) "libavfilter.so." TEXT(version)

static void *library;
static char failure[256];

static void load(void) {
    library = dlopen(NAME(LIBAVFILTER_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL);
    if (!library) snprintf(failure, sizeof failure, "%s", dlerror());
}

const char *ffs_load_filters(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return library ? NULL : failure;
}

// Looks up a function on its first call; concurrent lookups give the same result.
#define REAL(name) \
    static _Atomic(__typeof__(&name)) found; \
    if (!found && !ffs_load_filters()) found = (__typeof__(&name))dlsym(library, #name); \
    __typeof__(&name) real = found

int av_buffersink_get_frame(AVFilterContext *sink, AVFrame *frame) {
    REAL(av_buffersink_get_frame);
    return real ? real(sink, frame) : AVERROR(ENOSYS);
}

int av_buffersrc_add_frame(AVFilterContext *source, AVFrame *frame) {
    REAL(av_buffersrc_add_frame);
    return real ? real(source, frame) : AVERROR(ENOSYS);
}

int av_buffersrc_add_frame_flags(AVFilterContext *source, AVFrame *frame, int flags) {
    REAL(av_buffersrc_add_frame_flags);
    return real ? real(source, frame, flags) : AVERROR(ENOSYS);
}

const AVFilter *avfilter_get_by_name(const char *name) {
    REAL(avfilter_get_by_name);
    return real ? real(name) : NULL;
}

AVFilterGraph *avfilter_graph_alloc(void) {
    REAL(avfilter_graph_alloc);
    return real ? real() : NULL;
}

int avfilter_graph_config(AVFilterGraph *graph, void *context) {
    REAL(avfilter_graph_config);
    return real ? real(graph, context) : AVERROR(ENOSYS);
}

int avfilter_graph_create_filter(
    AVFilterContext **made, const AVFilter *filter, const char *name, const char *arguments, void *opaque,
    AVFilterGraph *graph
) {
    REAL(avfilter_graph_create_filter);
    return real ? real(made, filter, name, arguments, opaque, graph) : AVERROR(ENOSYS);
}

void avfilter_graph_free(AVFilterGraph **graph) {
    // Without a graph, libavfilter may not be loaded.
    if (!graph || !*graph) return;
    REAL(avfilter_graph_free);
    if (real) real(graph);
}

int avfilter_graph_parse_ptr(
    AVFilterGraph *graph, const char *filters, AVFilterInOut **inputs, AVFilterInOut **outputs, void *context
) {
    REAL(avfilter_graph_parse_ptr);
    return real ? real(graph, filters, inputs, outputs, context) : AVERROR(ENOSYS);
}

AVFilterInOut *avfilter_inout_alloc(void) {
    REAL(avfilter_inout_alloc);
    return real ? real() : NULL;
}

void avfilter_inout_free(AVFilterInOut **ends) {
    REAL(avfilter_inout_free);
    if (real) real(ends);
}

int avfilter_link(AVFilterContext *source, unsigned output, AVFilterContext *sink, unsigned input) {
    REAL(avfilter_link);
    return real ? real(source, output, sink, input) : AVERROR(ENOSYS);
}
