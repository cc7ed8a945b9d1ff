internal import Foundation
internal import SegueBase

/// What is known of a synthetic file without opening it: which frames and which audio it holds.
package struct SyntheticTruth: Sendable, Equatable, Codable {
    /// The films or songs in the file, one after the other; nearly always one, none where it is no media.
    package var pieces: [Piece]

    /// What a server is expected to do with the file.
    package var expectation: String

    /// True if bytes were taken away or overwritten, so that not everything can be found again.
    package var isDamaged: Bool

    /// One film or song.
    package struct Piece: Sendable, Equatable, Codable {
        package var film: Film?
        package var sounds: [Sound]

        /// A piece of these tracks.
        package init(film: Film?, sounds: [Sound]) {
            self.film = film
            self.sounds = sounds
        }
    }

    /// The frames of a piece: numbers 0 up to the count.
    package struct Film: Sendable, Equatable, Codable {
        /// When each frame is due on the content's timeline, in seconds.
        package var times: [Double]
        /// Degrees by which a player turns the frame, clockwise.
        package var rotation: Int
    }

    /// One audio track of a piece.
    package struct Sound: Sendable, Equatable, Codable {
        /// The seed of the track's ``SoundSignal``.
        package var seed: UInt64
        /// Samples per second.
        package var rate: Int
        package var channels: Int
        /// The channel that carries low frequencies only, from which no place can be told, where there is one.
        package var lowFrequencyChannel: Int?
        /// The signal's number of the track's first sample.
        package var first: Int64
        /// The number of samples the track holds.
        package var count: Int64
    }
}

extension SyntheticTruth {
    /// The name of the file, in the folder of made files, that tells what is in them.
    package static let manifestName = ".testmedia.json"

    /// What is known of a file, or nil where it is not one that ``MediaMaker`` made.
    ///
    /// - Parameter path: The file's path. The manifest is looked for in the folders above it.
    /// - Returns: The truth.
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

    /// What a recipe's file holds.
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
                rotation: $0.rotation
            )
        }
        sounds = encoding.audio.enumerated().map { index, audio in
            let samples = audio.samples(contentEnd: encoding.duration)
            return SyntheticTruth.Sound(
                seed: recipe.seed(ofTrack: index),
                rate: audio.rate,
                channels: audio.channels,
                // In every layout with one, the fourth channel of libav's order is the low-frequency one.
                lowFrequencyChannel: audio.channels >= 6 ? 3 : nil,
                first: samples.lowerBound,
                count: Int64(samples.count)
            )
        }
    }
}

extension SyntheticTruth {
    /// What each undamaged file holds that recipes make by encoding, by the file's name in its recipe.
    package static func all(of recipes: [Recipe]) -> [(name: String, piece: Piece)] {
        let known = Dictionary(recipes.map { ($0.file, $0) }, uniquingKeysWith: { $1 })
        return recipes.compactMap { recipe in
            guard case .encoding = recipe.source, recipe.damage.isEmpty else { return nil }
            return SyntheticTruth(recipe, among: known).pieces.first.map { (recipe.file, $0) }
        }
    }
}
