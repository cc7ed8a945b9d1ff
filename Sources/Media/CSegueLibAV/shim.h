// Provides the pkg-config flags of FFmpeg's libraries; CSegueFFmpeg has the headers.
