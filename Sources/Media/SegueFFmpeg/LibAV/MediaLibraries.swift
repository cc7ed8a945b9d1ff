internal import CSegueFFmpeg

/// The linked libav libraries.
package enum MediaLibraries {
    /// The versions of the libraries that affect output, in one line.
    package static var versions: String {
        let numbers = [
            avformat_version(), avcodec_version(), avutil_version(), swresample_version(), swscale_version(),
        ]
        return numbers.map { "\($0 >> 16).\($0 >> 8 & 255).\($0 & 255)" }.joined(separator: " ")
    }
}

/// Loads libavfilter, which is not linked because most work needs no filter.
func loadFilters() throws(MediaError) {
    guard let reason = ffs_load_filters() else { return }
    throw MediaError(call: "dlopen", file: "libavfilter", message: String(cString: reason))
}
