internal import SegueConcurrency
internal import SegueFFmpeg
internal import SegueOrigin

/// A file of a suite.
package struct MediaFile: Sendable, Equatable {
    /// The path as bytes.
    package let path: [UInt8]
    /// The path below the given folder, with U+FFFD for invalid UTF-8; unique in the suite.
    package let name: String
}

/// The failure to list the files of a suite.
package struct MediaFilesError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String
}

/// Lists the files of a suite: all regular files that are not hidden, sorted by path.
package enum MediaFiles {
    /// The files named by paths: a file itself, or all files below a folder.
    ///
    /// Symbolic links below a folder are not followed.
    ///
    /// - Throws: ``MediaFilesError`` for a missing or unreadable path, or a folder without any file.
    package static func list(_ paths: [String]) throws(MediaFilesError) -> [MediaFile] {
        var files: [MediaFile] = []
        for path in paths {
            let bytes = Array(path.utf8)
            guard let status = FileStatus(path: bytes) else { throw failure(bytes) }
            if status.isFolder {
                let before = files.count
                try collect(folder: bytes, below: [], into: &files)
                guard files.count > before else {
                    throw MediaFilesError(description: "\(path): no files found; name a folder with media")
                }
            } else {
                let name = FileNames.text(FileNames.lastComponent(bytes))
                files.append(MediaFile(path: bytes, name: name))
            }
        }
        return uniquelyNamed(files)
    }

    private static func failure(_ path: [UInt8]) -> MediaFilesError {
        MediaFilesError(description: "\(FileNames.text(path)): \(FileNames.lastError())")
    }

    private static func collect(
        folder: [UInt8],
        below: [UInt8],
        into files: inout [MediaFile]
    ) throws(MediaFilesError) {
        var names: [[UInt8]] = []
        guard FileNames.forEachName(in: folder, { names.append($0) }) != nil else { throw failure(folder) }
        var folders: [[UInt8]] = []
        for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) where name.first != UInt8(ascii: ".") {
            let path = FileNames.join(folder, name)
            // A file that vanished since the folder was listed is ignored.
            guard let status = FileStatus(path: path, followsLinks: false) else { continue }
            if status.isFolder { folders.append(name) }
            guard status.isRegular else { continue }
            files.append(MediaFile(path: path, name: FileNames.text(FileNames.join(below, name))))
        }
        for name in folders {
            try collect(folder: FileNames.join(folder, name), below: FileNames.join(below, name), into: &files)
        }
    }

    /// Numbers the duplicates among names from several folders.
    private static func uniquelyNamed(_ files: [MediaFile]) -> [MediaFile] {
        var taken: Set<String> = []
        return files.map { file in
            var name = file.name
            var number = 1
            while !taken.insert(name).inserted {
                number += 1
                name = "\(file.name) (\(number))"
            }
            return MediaFile(path: file.path, name: name)
        }
    }
}
