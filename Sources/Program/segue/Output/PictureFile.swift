import Foundation
import SegueCharts
import SegueFFmpeg

/// A picture that `--draw` asks for: an SVG, or a PNG made of it.
struct PictureFile {
    /// What a picture is written as.
    enum Format: String {
        case svg, png

        /// The format that a file's name asks for; nil for any other.
        init?(path: String) {
            guard let ending = path.split(separator: ".").last else { return nil }
            self.init(rawValue: ending.lowercased())
        }
    }

    /// How many pixels wide a PNG is: twice a drawing's own width, for sharp letters.
    private static let width = 2000

    private let file: OutputFile
    private let format: Format

    /// A picture that can be written.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be written.
    init(path: String) throws {
        guard let format = Format(path: path) else {
            throw CommandFailure(path, "a picture is written as .svg or .png")
        }
        self.format = format
        file = try OutputFile(path)
    }

    /// Draws a story.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be written, or not as PNG on this machine.
    func write(_ story: RunStory, title: String, about: String) throws {
        try write(svg: StoryPicture.svg(story, title: title, about: [about]) + "\n")
    }

    /// Writes a document of SVG.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be written, or not as PNG on this machine.
    func write(svg: String) throws {
        switch format {
        case .svg: try file.write(Data(svg.utf8))
        case .png:
            do {
                try file.write(Data(DrawnPicture.png(svg: Array(svg.utf8), width: Self.width)))
            } catch let error as MediaError {
                throw CommandFailure(file.path, error.message)
            }
        }
    }
}
