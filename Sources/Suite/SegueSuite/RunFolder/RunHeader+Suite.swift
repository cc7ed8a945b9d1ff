internal import Foundation
internal import SegueByteCoding
internal import SegueConcurrency
package import SegueData
internal import SegueFFmpeg
internal import SegueOrigin

extension RunHeader {
    /// The header of a run of a suite.
    ///
    /// `data` is the data files that were read for it. `program` is the program's path and version. `directory` is the
    /// working directory of the command. `arguments` are the command without the program's name.
    ///
    /// - Throws: ``RunFolderError`` if the program or a file cannot be read.
    package init(
        of suite: Suite,
        data: DataRecord,
        program: (path: String, version: String),
        directory: String,
        arguments: [String]
    ) throws(RunFolderError) {
        version = program.version
        build = try Self.checksum(ofFileAt: program.path)
        date = Self.now()
        (self.directory, self.arguments) = (directory, arguments)
        self.data = data.files.mapValues { Checksum.sha256([UInt8]($0)) }
        // The rules of HLS belong to the program.
        rules = suite.rules.abouts.filter { ViolatedRequirement.rules[$0.key] == nil }
        profile = suite.profile
        releases = suite.releases
        let matrix = suite.matrix
        self.matrix = Cross(
            scenarios: matrix.scenarios.map { ScenarioName(name: $0.name, platform: $0.platform) },
            networks: matrix.networks,
            platforms: matrix.platforms,
            apps: matrix.apps,
            seeds: matrix.seeds,
            players: matrix.players.isEmpty ? nil : matrix.players,
            devices: matrix.devices.isEmpty ? nil : matrix.devices,
            impossible: matrix.impossible.isEmpty ? nil : matrix.impossible
        )
        let places = suite.places
        var files: [File] = []
        for file in suite.files {
            guard let status = FileStatus(path: file.path) else {
                throw RunFolderError(system: file.name)
            }
            let written = status.modifiedNanoseconds
            files.append(File(name: file.name, bytes: status.size, modified: written, place: places[file.name]))
        }
        for title in suite.titles {
            // The content of a title's server is under test and may change; its source must not.
            let source = title.source.flatMap { FileStatus(path: Array($0.utf8)) }
            let (bytes, written) = (source?.size ?? 0, source?.modifiedNanoseconds ?? 0)
            var file = File(name: title.name, bytes: bytes, modified: written, place: title.place)
            if !title.tags.isEmpty { file.tags = title.tags }
            if title.selection != .all { file.selection = title.selection }
            file.profile = title.profile
            files.append(file)
        }
        self.files = files
        cases = 0
        cases = table.count
    }

    /// The checksum of a file, computed in blocks.
    private static func checksum(ofFileAt path: String) throws(RunFolderError) -> String {
        do {
            return try LongChecksum.ofFile(at: path)
        } catch {
            throw RunFolderError(path, "cannot be read: \(error)")
        }
    }
}
