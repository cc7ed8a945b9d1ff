// Brings the pkg-config flags of FFmpeg's libraries; CFFmpeg has the headers.
