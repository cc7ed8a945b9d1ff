// FFmpeg's libraries as one module, with shims (ffs_…) for what Swift cannot import: macros and variadic functions.
#ifndef SEGUE_CFFMPEG_H
#define SEGUE_CFFMPEG_H

#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/adler32.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/error.h>
#include <libavutil/imgutils.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/sha.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

#include "CFFmpegWriting.h"

// Error codes that are macros.
static const int ffs_error_eof = AVERROR_EOF;
static const int ffs_error_again = AVERROR(EAGAIN);
static const int ffs_error_exit = AVERROR_EXIT;
static const int ffs_error_invalid_data = AVERROR_INVALIDDATA;
static const int ffs_error_no_memory = AVERROR(ENOMEM);
static const int ffs_error_invalid_argument = AVERROR(EINVAL);
static const int ffs_error_encoder_not_found = AVERROR_ENCODER_NOT_FOUND;
static const int ffs_error_decoder_not_found = AVERROR_DECODER_NOT_FOUND;
static const int ffs_error_muxer_not_found = AVERROR_MUXER_NOT_FOUND;
static const int ffs_error_demuxer_not_found = AVERROR_DEMUXER_NOT_FOUND;
static const int ffs_error_option_not_found = AVERROR_OPTION_NOT_FOUND;

// Constants that are macros with casts.
static const int64_t ffs_no_timestamp = AV_NOPTS_VALUE;
static const int ffs_quality_scale = FF_QP2LAMBDA;

// Writes libav's words for an error code.
void ffs_describe_error(int code, char *text, size_t size);

// Sends libav's log nowhere, and keeps the last error line of each thread. May be called often and from any thread.
void ffs_quiet_log(void);

// Loads libavfilter, on the first call; NULL when it is there, else why it is not.
const char *ffs_load_filters(void);

// The last line of level error or worse that libav logged on this thread since the last forgetting; never NULL.
const char *ffs_last_log(void);

// Forgets the last error line of this thread.
void ffs_forget_log(void);

// An AVIOContext over memory that stays alive and unchanged while the context is in use.
AVIOContext *ffs_open_memory(const uint8_t *bytes, int64_t size);

// Frees what ffs_open_memory made.
void ffs_close_memory(AVIOContext **context);

// Reads from a file what the system has in memory: fewer bytes than asked for, or below zero, where it has not.
int64_t ffs_read_cached(int descriptor, void *bytes, size_t count, int64_t position);

// An AVIOContext over a file, which can be told to stop reading: it then gives zeros, at no cost. NULL with errno set.
AVIOContext *ffs_open_file(const char *path);

// Tells a context of ffs_open_file to give zeros from here on, past what libav has buffered already.
void ffs_hollow_file(AVIOContext *context);

// Has a context of ffs_open_file give other bytes in place of some of the file's; before anything is read. 0, or a
// negative error when there is no memory.
int ffs_patch_file(AVIOContext *context, int64_t position, const uint8_t *bytes, int count);

// How many bytes a context of ffs_open_file has read from the file; 0 for none.
int64_t ffs_file_bytes_read(const AVIOContext *context);

// Closes and frees what ffs_open_file made.
void ffs_close_file(AVIOContext **context);

// Has a context whose own bytes are set open nothing beside them, whatever its demuxer wants.
void ffs_open_nothing_else(AVFormatContext *context);

// A checksum of one picture's pixels, plane by plane, without line padding; 0 when the format has no such layout.
uint32_t ffs_picture_checksum(const AVFrame *frame);

// Leaves of a picture the middle one of every `step` lines, without copying; 0 where its format does not allow that.
int ffs_keep_lines(AVFrame *frame, int step);

// Takes all side data of one kind from a packet.
void ffs_remove_side_data(AVPacket *packet, enum AVPacketSideDataType type);

#endif
