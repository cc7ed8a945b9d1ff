#include "CSegueFFmpeg.h"
#include "CSegueKernel.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void ffs_describe_error(int code, char *text, size_t size) {
    if (av_strerror(code, text, size) < 0) snprintf(text, size, "error %d", code);
}

static _Thread_local char last_line[512];

static void keep_errors(void *context, int level, const char *format, va_list arguments) {
    if ((level & 0xff) > AV_LOG_ERROR) return;
    int prefix = 0;
    char line[512];
    av_log_format_line2(context, level, format, arguments, line, sizeof line, &prefix);
    size_t length = strnlen(line, sizeof line - 1);
    while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r')) length--;
    if (length == 0) return;
    line[length] = 0;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)line[i] < 32) line[i] = ' ';
    memcpy(last_line, line, length + 1);
}

static void install_log(void) { av_log_set_callback(keep_errors); }

void ffs_quiet_log(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_log);
}

const char *ffs_last_log(void) { return last_line; }

void ffs_forget_log(void) { last_line[0] = 0; }

struct memory {
    const uint8_t *bytes;
    int64_t size;
    int64_t position;
};

static int read_memory(void *opaque, uint8_t *buffer, int size) {
    struct memory *memory = opaque;
    int64_t left = memory->size - memory->position;
    if (left <= 0) return AVERROR_EOF;
    if (size > left) size = (int)left;
    memcpy(buffer, memory->bytes + memory->position, size);
    memory->position += size;
    return size;
}

static int64_t seek_memory(void *opaque, int64_t offset, int whence) {
    struct memory *memory = opaque;
    int64_t target;
    switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE: return memory->size;
    case SEEK_SET: target = offset; break;
    case SEEK_CUR: target = memory->position + offset; break;
    case SEEK_END: target = memory->size + offset; break;
    default: return AVERROR(EINVAL);
    }
    if (target < 0) return AVERROR(EINVAL);
    memory->position = target;
    return target;
}

AVIOContext *ffs_open_memory(const uint8_t *bytes, int64_t size) {
    const int buffer_size = 32768;
    struct memory *memory = av_mallocz(sizeof *memory);
    uint8_t *buffer = av_malloc(buffer_size);
    AVIOContext *context = NULL;
    if (memory && buffer) context = avio_alloc_context(buffer, buffer_size, 0, memory, read_memory, NULL, seek_memory);
    if (!context) {
        av_free(buffer);
        av_free(memory);
        return NULL;
    }
    memory->bytes = bytes;
    memory->size = size;
    return context;
}

void ffs_close_memory(AVIOContext **context) {
    if (!context || !*context) return;
    av_freep(&(*context)->opaque);
    av_freep(&(*context)->buffer);
    avio_context_free(context);
}

struct patch {
    int64_t position;
    int count;
    uint8_t bytes[16];
};

struct file {
    struct patch *patches;
    int patch_count;
    int descriptor;
    int is_hollow;
    int64_t size;
    int64_t position;
    int64_t bytes_read;
};

static int read_file(void *opaque, uint8_t *buffer, int size) {
    struct file *file = opaque;
    int64_t left = file->size - file->position;
    if (left <= 0) return AVERROR_EOF;
    if (size > left) size = (int)left;
    if (file->is_hollow) {
        memset(buffer, 0, size);
    } else {
        ssize_t got = pread(file->descriptor, buffer, size, file->position);
        if (got < 0) return AVERROR(errno);
        if (got == 0) return AVERROR_EOF;
        size = (int)got;
        file->bytes_read += got;
        for (int i = 0; i < file->patch_count; i++) {
            const struct patch *patch = &file->patches[i];
            for (int k = 0; k < patch->count; k++) {
                int64_t offset = patch->position + k - file->position;
                if (offset >= 0 && offset < size) buffer[offset] = patch->bytes[k];
            }
        }
    }
    file->position += size;
    return size;
}

static int64_t seek_file(void *opaque, int64_t offset, int whence) {
    struct file *file = opaque;
    int64_t target;
    switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE: return file->size;
    case SEEK_SET: target = offset; break;
    case SEEK_CUR: target = file->position + offset; break;
    case SEEK_END: target = file->size + offset; break;
    default: return AVERROR(EINVAL);
    }
    if (target < 0) return AVERROR(EINVAL);
    file->position = target;
    return target;
}

AVIOContext *ffs_open_file(const char *path) {
    const int buffer_size = 32768;
    struct stat status;
    int descriptor = skern_open_file(path, O_RDONLY);
    if (descriptor < 0) return NULL;
    struct file *file = av_mallocz(sizeof *file);
    uint8_t *buffer = av_malloc(buffer_size);
    AVIOContext *context = NULL;
    if (file && buffer && fstat(descriptor, &status) == 0)
        context = avio_alloc_context(buffer, buffer_size, 0, file, read_file, NULL, seek_file);
    if (!context) {
        av_free(buffer);
        av_free(file);
        close(descriptor);
        return NULL;
    }
    file->descriptor = descriptor;
    file->size = status.st_size;
    return context;
}

int ffs_patch_file(AVIOContext *context, int64_t position, const uint8_t *bytes, int count) {
    struct file *file = context->opaque;
    if (count < 0 || count > (int)sizeof file->patches->bytes) return AVERROR(EINVAL);
    struct patch *patches = av_realloc_array(file->patches, file->patch_count + 1, sizeof *patches);
    if (!patches) return AVERROR(ENOMEM);
    file->patches = patches;
    patches[file->patch_count].position = position;
    patches[file->patch_count].count = count;
    memcpy(patches[file->patch_count].bytes, bytes, count);
    file->patch_count++;
    return 0;
}

void ffs_hollow_file(AVIOContext *context) { ((struct file *)context->opaque)->is_hollow = 1; }

int64_t ffs_file_bytes_read(const AVIOContext *context) {
    return context ? ((const struct file *)context->opaque)->bytes_read : 0;
}

void ffs_close_file(AVIOContext **context) {
    if (!context || !*context) return;
    struct file *file = (*context)->opaque;
    close(file->descriptor);
    av_freep(&file->patches);
    av_freep(&(*context)->opaque);
    av_freep(&(*context)->buffer);
    avio_context_free(context);
}

static int refuse_to_open(
    AVFormatContext *context, AVIOContext **bytes, const char *url, int flags, AVDictionary **options) {
    av_log(context, AV_LOG_ERROR, "what a file names is not opened\n");
    return AVERROR(EACCES);
}

static int is_still_image(const AVStream *stream) {
    if (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) return 1;
    switch (stream->codecpar->codec_id) {
    case AV_CODEC_ID_MJPEG:
    case AV_CODEC_ID_PNG:
    case AV_CODEC_ID_BMP:
    case AV_CODEC_ID_TIFF:
    case AV_CODEC_ID_WEBP:
    case AV_CODEC_ID_GIF: return 1;
    default: return 0;
    }
}

int ffs_find_stream_info(AVFormatContext *context, int64_t most_pixels) {
    unsigned count = context->nb_streams;
    AVDictionary **options = av_calloc(count ? count : 1, sizeof *options);
    if (!options) return AVERROR(ENOMEM);
    int code = 0;
    for (unsigned place = 0; place < count && code >= 0; place++) {
        if (!is_still_image(context->streams[place])) continue;
        code = av_dict_set_int(&options[place], "max_pixels", most_pixels, 0);
    }
    if (code >= 0) code = avformat_find_stream_info(context, count ? options : NULL);
    for (unsigned place = 0; place < count; place++) av_dict_free(&options[place]);
    av_free(options);
    return code;
}

void ffs_open_nothing_else(AVFormatContext *context) { context->io_open = refuse_to_open; }

uint32_t ffs_picture_checksum(const AVFrame *frame) {
    int lines[4], rows, plane;
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    uint32_t sum = 1;
    if (!format || (format->flags & AV_PIX_FMT_FLAG_HWACCEL)) return 0;
    if (av_image_fill_linesizes(lines, frame->format, frame->width) < 0) return 0;
    for (plane = 0; plane < 4 && frame->data[plane] && lines[plane] > 0; plane++) {
        rows = frame->height;
        if (plane == 1 || plane == 2) rows = AV_CEIL_RSHIFT(rows, format->log2_chroma_h);
        for (int y = 0; y < rows; y++)
            sum = av_adler32_update(sum, frame->data[plane] + (ptrdiff_t)y * frame->linesize[plane], lines[plane]);
    }
    return sum;
}

int ffs_keep_lines(AVFrame *frame, int step) {
    const uint64_t other = AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_BAYER;
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    int plane, height;
    if (!format || format->flags & other || step < 2) return 0;
    // A multiple of the chroma height, so the last kept line exists in every plane.
    height = frame->height / step >> format->log2_chroma_h << format->log2_chroma_h;
    if (height <= 0) return 0;
    for (plane = 0; plane < 4; plane++)
        if (frame->linesize[plane] > INT_MAX / step || frame->linesize[plane] < -(INT_MAX / step)) return 0;
    for (plane = 0; plane < 4 && frame->data[plane]; plane++) {
        frame->data[plane] += (ptrdiff_t)((step - 1) / 2) * frame->linesize[plane];
        frame->linesize[plane] *= step;
    }
    frame->height = height;
    return 1;
}

void ffs_remove_side_data(AVPacket *packet, enum AVPacketSideDataType type) {
    for (int i = packet->side_data_elems - 1; i >= 0; i--) {
        if (packet->side_data[i].type != type) continue;
        av_free(packet->side_data[i].data);
        packet->side_data_elems--;
        if (i < packet->side_data_elems) packet->side_data[i] = packet->side_data[packet->side_data_elems];
    }
    if (packet->side_data_elems == 0) av_freep(&packet->side_data);
}
