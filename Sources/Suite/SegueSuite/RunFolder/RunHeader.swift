internal import Foundation
internal import SegueFFmpeg

/// What a run is, as it stands in its folder's `run.json`: all that is needed to go on with it, and to join it with the
/// other parts of a suite.
package struct RunHeader: Sendable, Codable, Equatable {
    /// A file of the suite.
    struct File: Sendable, Codable, Equatable {
        /// Its name in the report.
        var name: String
        /// Its size in bytes.
        var bytes: Int64
        /// When it was last written, in nanoseconds since 1970.
        var modified: Int64
        /// Where it stands, to be pointed at; nil for a URL that was given by itself.
        var place: SourcePlace?
        /// The title's tags; nil where it has none.
        var tags: [String]?
    }

    /// A scenario with the platform that it takes where none is named.
    struct ScenarioName: Sendable, Codable, Equatable {
        var name: String
        var platform: String
    }

    /// What every file is crossed with, by name.
    struct Cross: Sendable, Codable, Equatable {
        var scenarios: [ScenarioName]
        var networks: [String]
        var platforms: [String]
        var apps: [String]
        var seeds: [Int]
        /// The real players; nil for none.
        var players: [String]?
    }

    /// A part of a suite that is run in several.
    package struct Part: Sendable, Codable, Equatable {
        /// Its number, from 1.
        package var number: Int
        /// How many parts there are.
        package var of: Int
        /// The cases in it, of each file a range of those of the matrix.
        var cases: [CaseRange]
    }

    /// Some cases of a file.
    struct CaseRange: Sendable, Codable, Equatable {
        /// The file's place in the suite.
        var file: Int
        /// The first case.
        var from: Int
        /// The case behind the last.
        var to: Int
    }

    /// How many parts a suite may have.
    package static let mostParts = 10_000

    /// The version of the format that this program writes, and the only one that it reads.
    static let format = 1

    /// The version of the format.
    var format = Self.format
    /// The program's version.
    package var version: String
    /// The checksum of the program itself.
    package var build: String
    /// When the run began.
    package var date: String
    /// The folder that it was begun in.
    package var directory: String
    /// The command line, without the program's name.
    package var arguments: [String]
    /// The checksums of the data files that were read, by path.
    var data: [String: String]
    /// What every file is crossed with.
    var matrix: Cross
    /// What its rules say, by their ids; nil where a former program did not write it down.
    var rules: [String: String]?
    /// The files.
    var files: [File]
    /// Which part of the suite this is; nil for the whole.
    package var part: Part?
    /// How many cases this run has.
    package var cases: Int

    /// Now, as a date of ISO 8601.
    package static func now() -> String { Date().formatted(.iso8601) }

    /// The matrix.
    var wholeMatrix: Matrix {
        var whole = Matrix(
            scenarios: matrix.scenarios.map { ($0.name, $0.platform) },
            networks: matrix.networks,
            platforms: matrix.platforms,
            apps: matrix.apps,
            seeds: matrix.seeds
        )
        whole.players = matrix.players ?? []
        return whole
    }

    /// All cases of the suite that this is a run of, or a part.
    var table: CaseTable { CaseTable(files: files.map(\.name), matrix: wholeMatrix) }

    /// What the rules say that it was judged by, by their ids.
    package var abouts: [String: String] { rules ?? Finding.ownRules }

    /// Where its files and titles stand, by name.
    package var places: [String: SourcePlace] {
        files.reduce(into: [:]) { places, file in places[file.name] = file.place }
    }

    /// The tags of titles that have some, by name.
    var tags: [String: [String]] {
        Dictionary(files.compactMap { file in file.tags.map { (file.name, $0) } }) { first, _ in first }
    }

    /// Whether the cases that it names are there.
    var isSound: Bool {
        let (crossed, isTooMany) = max(1, matrix.platforms.count).multipliedReportingOverflow(by: matrix.apps.count)
        guard !isTooMany, crossed <= 1 << 30 else { return false }
        let players = crossed + (matrix.players?.count ?? 0)
        var count = 1
        for length in [
            files.count, matrix.scenarios.count, players, matrix.networks.count, matrix.seeds.count,
        ] {
            let (product, isTooMuch) = count.multipliedReportingOverflow(by: length)
            guard !isTooMuch, product <= 1 << 30 else { return false }
            count = product
        }
        let each = files.isEmpty ? 0 : count / files.count
        if let part, part.of < 1 || part.of > Self.mostParts || !(1...part.of).contains(part.number) { return false }
        return (part?.cases ?? []).allSatisfy { part in
            files.indices.contains(part.file) && part.from >= 0 && part.from <= part.to && part.to <= each
        }
    }

    /// What differs in another run, which then is none of the same.
    ///
    /// - Parameters:
    ///   - isSamePlace: Whether files must not even have been written anew.
    /// - Returns: What, in a few words; nil where nothing does.
    package func difference(from other: RunHeader, isSamePlace: Bool) -> String? {
        if build != other.build { return "segue itself is another one" }
        if matrix != other.matrix { return "what is crossed with the files has changed" }
        for (one, two) in zip(files, other.files) where one.name == two.name {
            if one.bytes != two.bytes || isSamePlace && one.modified != two.modified {
                return "\(one.name) has changed"
            }
        }
        let names = (Set(files.map(\.name)), Set(other.files.map(\.name)))
        if let name = names.1.subtracting(names.0).min() { return "\(name) has come" }
        if let name = names.0.subtracting(names.1).min() { return "\(name) is gone" }
        if files.map(\.name) != other.files.map(\.name) { return "the files are in another order" }
        guard isSamePlace else {
            return data.values.sorted() == other.data.values.sorted() ? nil : "the data files are others"
        }
        let paths = Set(data.keys).union(other.data.keys).sorted()
        return paths.first { data[$0] != other.data[$0] }.map { "\($0) has changed" }
    }
}
