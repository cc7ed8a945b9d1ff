// FFmpeg's libraries as one module, with shims (ffs_…) for macros and variadic functions, which Swift cannot import.
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

// Error codes defined as macros.
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

// Constants defined as macros with casts.
static const int64_t ffs_no_timestamp = AV_NOPTS_VALUE;
static const int ffs_quality_scale = FF_QP2LAMBDA;

// Writes libav's description of an error code.
void ffs_describe_error(int code, char *text, size_t size);

// Silences libav's log and keeps the last error line per thread. Idempotent and thread-safe.
void ffs_quiet_log(void);

// Loads libavfilter on the first call; returns NULL on success, otherwise the reason for the failure.
const char *ffs_load_filters(void);

// The last line of level error or worse that libav logged on this thread since the last reset; never NULL.
const char *ffs_last_log(void);

// Resets the last error line of this thread.
void ffs_forget_log(void);

// An AVIOContext over memory that must stay alive and unchanged while the context is in use.
AVIOContext *ffs_open_memory(const uint8_t *bytes, int64_t size);

// Frees a context of ffs_open_memory.
void ffs_close_memory(AVIOContext **context);

// Reads cached data of a file: returns fewer bytes than requested, or a negative value, if not all is cached.
int64_t ffs_read_cached(int descriptor, void *bytes, size_t count, int64_t position);

// An AVIOContext over a file that can be switched to zeros without reading. Returns NULL and sets errno on failure.
AVIOContext *ffs_open_file(const char *path);

// Switches a context of ffs_open_file to zeros, beyond the data that libav has already buffered.
void ffs_hollow_file(AVIOContext *context);

// Replaces bytes of the file in a context of ffs_open_file; call before reading. Returns 0, or a negative error if
// memory cannot be allocated.
int ffs_patch_file(AVIOContext *context, int64_t position, const uint8_t *bytes, int count);

// The number of bytes that a context of ffs_open_file has read from the file.
int64_t ffs_file_bytes_read(const AVIOContext *context);

// Closes and frees a context of ffs_open_file.
void ffs_close_file(AVIOContext **context);

/// Finds the parameters of all streams, as avformat_find_stream_info() does, and decodes no still image of more pixels.
///
/// libav would decode the images of a file to learn their pixel format, and a small file may claim a very large image.
int ffs_find_stream_info(AVFormatContext *context, int64_t most_pixels);

// Prevents a context with its own I/O from opening anything else, regardless of its demuxer.
void ffs_open_nothing_else(AVFormatContext *context);

// A checksum of a frame's pixels, plane by plane, without line padding; 0 if the format has another layout.
uint32_t ffs_picture_checksum(const AVFrame *frame);

// Keeps the middle one of every `step` lines of a frame without copying; 0 if its format does not support that.
int ffs_keep_lines(AVFrame *frame, int step);

// Removes all side data of one kind from a packet.
void ffs_remove_side_data(AVPacket *packet, enum AVPacketSideDataType type);

#endif
