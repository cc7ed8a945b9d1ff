/// The bounds of still images, such as cover art.
enum StillImage {
    /// The maximum number of pixels; larger images take too much memory to decode.
    static let mostPixels: Int64 = 40_000_000
}
