internal import Foundation
internal import SegueBase
internal import SegueFFmpeg

/// The known content of a synthetic file: its frames and audio.
package struct SyntheticTruth: Sendable, Equatable, Codable {
    /// The titles in the file, in order; usually one, none if the file is not media.
    package var pieces: [Piece]

    /// The expected behavior of a server.
    package var expectation: String

    /// True if bytes were removed or overwritten, so that not everything can be found.
    package var isDamaged: Bool

    package struct Piece: Sendable, Equatable, Codable {
        package var film: Film?
        package var audioTracks: [Audio]

        package init(film: Film?, audioTracks: [Audio]) {
            self.film = film
            self.audioTracks = audioTracks
        }

        private enum CodingKeys: String, CodingKey {
            case film
            case audioTracks = "sounds"
        }
    }

    /// A title's frames, numbered from 0.
    package struct Film: Sendable, Equatable, Codable {
        /// The presentation times on the content's timeline, in seconds.
        package var times: [Double]
        /// The clockwise display rotation, in degrees.
        package var rotation: Int
    }

    /// An audio track of a title.
    package struct Audio: Sendable, Equatable, Codable {
        /// The seed of the track's ``AudioSignal``.
        package var seed: UInt64
        package var rate: Int
        package var channels: Int
        /// The low-frequency channel, which has no position information, if there is one.
        package var lowFrequencyChannel: Int?
        /// The signal's number of the track's first sample.
        package var first: Int64
        package var count: Int64
    }
}

extension SyntheticTruth {
    /// The name of the manifest in the folder of made files.
    package static let manifestName = ".testmedia.json"

    /// The known content of a file; nil if no manifest in the folders above lists it.
    package static func find(forFileAt path: String) -> SyntheticTruth? {
        var folder = URL(fileURLWithPath: path).standardizedFileURL
        var name: [String] = []
        while folder.path != "/" {
            name.insert(folder.lastPathComponent, at: 0)
            folder.deleteLastPathComponent()
            let manifest = folder.appendingPathComponent(manifestName).path
            guard FileManager.default.fileExists(atPath: manifest) else { continue }
            let entries = (try? TestMediaManifest.read(fromFolder: folder.path))?.files ?? []
            return entries.first { $0.file == name.joined(separator: "/") }?.truth
        }
        return nil
    }

    /// The content of a recipe's file.
    init(_ recipe: Recipe, among recipes: [String: Recipe]) {
        let parts = recipe.source.parts.compactMap { recipes[$0] }
        pieces = (parts.isEmpty ? [recipe] : parts).compactMap { part in
            guard case .encoding(let encoding) = part.source else { return nil }
            return Piece(part, encoding)
        }
        expectation = recipe.expect.rawValue
        isDamaged = !recipe.damage.isEmpty || parts.contains { !$0.damage.isEmpty }
    }
}

extension SyntheticTruth.Piece {
    fileprivate init(_ recipe: Recipe, _ encoding: Recipe.Encoding) {
        film = encoding.video.map {
            SyntheticTruth.Film(
                times: $0.times(contentEnd: encoding.duration).frames.map(\.seconds),
                rotation: $0.film.rotation
            )
        }
        audioTracks = encoding.audio.enumerated().map { index, audio in
            let samples = audio.samples(contentEnd: encoding.duration)
            return SyntheticTruth.Audio(
                seed: recipe.seed(ofTrack: index),
                rate: audio.settings.rate,
                channels: audio.settings.channels,
                // In every libav layout with a low-frequency channel, it is the fourth.
                lowFrequencyChannel: audio.settings.channels >= 6 ? 3 : nil,
                first: samples.lowerBound,
                count: Int64(samples.count)
            )
        }
    }
}

extension SyntheticTruth {
    /// The content of each undamaged encoded file, by file name.
    package static func all(of recipes: [Recipe]) -> [(name: String, piece: Piece)] {
        let known = Dictionary(recipes.map { ($0.file, $0) }, uniquingKeysWith: { $1 })
        return recipes.compactMap { recipe in
            guard case .encoding = recipe.source, recipe.damage.isEmpty else { return nil }
            return SyntheticTruth(recipe, among: known).pieces.first.map { (recipe.file, $0) }
        }
    }
}
