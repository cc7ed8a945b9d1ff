internal import CSegueFFmpeg

/// The libav libraries that this program runs with.
package enum MediaLibraries {
    /// The versions of the libraries whose output may change with them, in one line.
    package static var versions: String {
        let numbers = [
            avformat_version(), avcodec_version(), avutil_version(), swresample_version(), swscale_version(),
        ]
        return numbers.map { "\($0 >> 16).\($0 >> 8 & 255).\($0 & 255)" }.joined(separator: " ")
    }
}

/// Has libavfilter loaded, which is not linked, as most work takes no filter.
func loadFilters() throws(MediaError) {
    guard let reason = ffs_load_filters() else { return }
    throw MediaError(call: "dlopen", file: "libavfilter", message: String(cString: reason))
}
