// Additional shims for making test media.
#ifndef SEGUE_CFFMPEG_WRITING_H
#define SEGUE_CFFMPEG_WRITING_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>

static const int ffs_codec_flag_bitexact = AV_CODEC_FLAG_BITEXACT;
static const int ffs_scaler_flags = SWS_POINT | SWS_BITEXACT | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT;

// Adds a chapter, with times in milliseconds; call before writing the header.
void ffs_add_chapter(AVFormatContext *context, int64_t id, int64_t start, int64_t end, const char *title);

#endif
