#include "CFFmpegWriting.h"

void ffs_add_chapter(AVFormatContext *context, int64_t id, int64_t start, int64_t end, const char *title) {
    AVChapter **list = av_realloc_array(context->chapters, context->nb_chapters + 1, sizeof *list);
    AVChapter *chapter = av_mallocz(sizeof *chapter);
    if (list) context->chapters = list;
    if (!list || !chapter) {
        av_free(chapter);
        return;
    }
    *chapter = (AVChapter){.id = id, .time_base = {1, 1000}, .start = start, .end = end};
    av_dict_set(&chapter->metadata, "title", title, 0);
    context->chapters[context->nb_chapters++] = chapter;
}
