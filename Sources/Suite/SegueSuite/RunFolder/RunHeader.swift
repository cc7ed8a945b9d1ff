internal import Foundation
internal import SegueBase
internal import SegueComparison
internal import SegueFFmpeg

/// The content of `run.json`: everything needed to continue a run and to merge it with other parts of its suite.
package struct RunHeader: Sendable, Codable, Equatable {
    struct File: Sendable, Codable, Equatable {
        /// The name in the report.
        var name: String
        var bytes: Int64
        /// The modification time, in nanoseconds since 1970.
        var modified: Int64
        /// The location for reports; nil for a URL given on the command line.
        var place: SourcePlace?
        /// The title's tags; nil without any.
        var tags: [String]?
        /// The scenarios and networks that the title goes through; nil for all.
        var selection: CaseSelection?
        /// The title's own profile; nil for that of the run.
        var profile: RequirementProfile?
    }

    /// A scenario with its default platform.
    struct ScenarioName: Sendable, Codable, Equatable {
        var name: String
        var platform: String
    }

    /// The names that every file is crossed with.
    struct Cross: Sendable, Codable, Equatable {
        var scenarios: [ScenarioName]
        var networks: [String]
        var platforms: [String]
        var apps: [String]
        var seeds: [Int]
        /// The real players; nil for none.
        var players: [String]?
        /// The devices; nil for none.
        var devices: [String]?
        /// The combinations that cannot be; nil in headers of older versions.
        var impossible: [ImpossibleCase]?
    }

    /// A part of a suite.
    package struct Part: Sendable, Codable, Equatable {
        /// The number, from 1.
        package var number: Int
        /// The number of parts.
        package var of: Int
        /// The cases of the part: a range of the matrix for each file.
        var cases: [CaseRange]
    }

    struct CaseRange: Sendable, Codable, Equatable {
        /// The index of the file in the suite.
        var file: Int
        var from: Int
        /// The index after the last case.
        var to: Int
    }

    /// The maximum number of parts.
    package static let mostParts = 10_000

    /// The version of the format that this program reads and writes.
    static let format = 1

    var format = Self.format
    package var version: String
    /// The checksum of the program.
    package var build: String
    /// The start of the run.
    package var date: String
    /// The working directory of the command.
    package var directory: String
    /// The command line without the program's name.
    package var arguments: [String]
    /// The checksums of the data files, by path.
    var data: [String: String]
    var matrix: Cross
    /// The specifications whose requirements fail a case; nil in headers of older versions.
    var profile: RequirementProfile?
    /// The descriptions of the rules, by id; nil in headers of older versions.
    var rules: [String: String]?
    /// The releases of apps, by the name of the policy; nil in headers of older versions.
    var releases: [String: AppRelease]?
    var files: [File]
    /// The part of the suite; nil for the whole.
    package var part: Part?
    /// The number of cases of this run.
    package var cases: Int

    /// Now, as a date of ISO 8601.
    package static func now() -> String {
        UTCTime(secondsSince1970: Int64(Date().timeIntervalSince1970)).description
    }

    var wholeMatrix: Matrix {
        var whole = Matrix(
            scenarios: matrix.scenarios.map { ($0.name, $0.platform) },
            networks: matrix.networks,
            platforms: matrix.platforms,
            apps: matrix.apps,
            seeds: matrix.seeds
        )
        whole.players = matrix.players ?? []
        (whole.devices, whole.impossible) = (matrix.devices ?? [], matrix.impossible ?? [])
        return whole
    }

    /// All cases of the whole suite.
    var table: CaseTable { CaseTable(files: files.map { ($0.name, $0.selection ?? .all) }, matrix: wholeMatrix) }

    /// The cases that are left out, since they cannot be.
    package var leftOut: [LeftOut] { wholeMatrix.leftOut(of: files.map { $0.selection ?? .all }) }

    /// The descriptions of the rules, by id.
    package var abouts: [String: String] { Finding.ownRules.merging(rules ?? [:]) { $1 } }

    /// The locations of the files and titles, by name.
    package var places: [String: SourcePlace] {
        files.reduce(into: [:]) { places, file in places[file.name] = file.place }
    }

    /// The tags of the titles that have any, by name.
    var tags: [String: [String]] {
        Dictionary(files.compactMap { file in file.tags.map { (file.name, $0) } }) { first, _ in first }
    }

    /// True if the listed cases exist.
    var isValid: Bool {
        let (crossed, isTooMany) = max(1, matrix.platforms.count).multipliedReportingOverflow(by: matrix.apps.count)
        guard !isTooMany, crossed <= 1 << 30 else { return false }
        let players = crossed + (matrix.players?.count ?? 0)
        var count = 1
        for length in [
            max(1, matrix.devices?.count ?? 0), files.count, matrix.scenarios.count, players, matrix.networks.count,
            matrix.seeds.count,
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

    /// The difference from another run that makes it a run of another suite; nil if there is none.
    ///
    /// `isSamePlace` decides whether modification times of files count, too.
    package func difference(from other: RunHeader, isSamePlace: Bool) -> String? {
        if build != other.build { return "segue has changed since" }
        if matrix != other.matrix { return "the scenarios, networks, platforms, devices, apps, or seeds have changed" }
        if profile != other.profile { return "the profile has changed" }
        for (one, two) in zip(files, other.files) where one.name == two.name {
            if one.profile != two.profile { return "\(one.name) has another profile" }
            if one.selection != two.selection { return "\(one.name) goes through other scenarios or networks" }
            if one.bytes != two.bytes || isSamePlace && one.modified != two.modified {
                return "\(one.name) has changed"
            }
        }
        let names = (Set(files.map(\.name)), Set(other.files.map(\.name)))
        if let name = names.1.subtracting(names.0).min() { return "\(name) was added" }
        if let name = names.0.subtracting(names.1).min() { return "\(name) was removed" }
        if files.map(\.name) != other.files.map(\.name) { return "the order of the files has changed" }
        guard isSamePlace else {
            return data.values.sorted() == other.data.values.sorted() ? nil : "the data files have changed"
        }
        let paths = Set(data.keys).union(other.data.keys).sorted()
        return paths.first { data[$0] != other.data[$0] }.map { "\($0) has changed" }
    }
}
