import Foundation
import SegueCharts
import SegueFFmpeg

/// A drawing for `--draw`: an SVG, or a PNG rendered from it.
struct ImageFile {
    enum Format: String {
        case svg, png

        /// The format of a file name's extension; nil for another one.
        init?(path: String) {
            guard let ending = path.split(separator: ".").last else { return nil }
            self.init(rawValue: ending.lowercased())
        }
    }

    /// The width of a PNG in pixels: twice that of the drawing, for sharp text.
    private static let width = 2000

    private let file: OutputFile
    private let format: Format

    /// - Throws: ``CommandFailure`` if the file cannot be written.
    init(path: String) throws {
        guard let format = Format(path: path) else {
            throw CommandFailure(path, "must end in .svg or .png")
        }
        self.format = format
        file = try OutputFile(path)
    }

    /// Draws a timeline.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be written, or PNG is not available on this machine.
    func write(_ story: RunTimeline, title: String, about: String) throws {
        try write(svg: TimelineDrawing.svg(story, title: title, about: [about]) + "\n")
    }

    /// Writes an SVG document.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be written, or PNG is not available on this machine.
    func write(svg: String) throws {
        switch format {
        case .svg: try file.write(Data(svg.utf8))
        case .png:
            do {
                try file.write(Data(DrawnImage.png(svg: Array(svg.utf8), width: Self.width)))
            } catch let error as MediaError {
                throw CommandFailure(file.path, error.message)
            }
        }
    }
}
