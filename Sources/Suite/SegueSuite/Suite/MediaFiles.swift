internal import SegueConcurrency
internal import SegueFFmpeg
internal import SegueOrigin

/// A file that a suite was given.
package struct MediaFile: Sendable, Equatable {
    /// Its path as bytes.
    package let path: [UInt8]
    /// Its path below the folder that was given, with U+FFFD where it is not UTF-8; no other file of the suite has it.
    package let name: String
}

/// Why the files of a suite could not be listed.
package struct MediaFilesError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String
}

/// The files of a suite: every regular file that is not hidden, in the order of their paths.
package enum MediaFiles {
    /// The files that paths mean: a file itself, or all files below a folder.
    ///
    /// Symbolic links below a folder are not followed.
    ///
    /// - Throws: ``MediaFilesError`` for a path that is not there or cannot be read, or when there is no file at all.
    package static func list(_ paths: [String]) throws(MediaFilesError) -> [MediaFile] {
        var files: [MediaFile] = []
        for path in paths {
            let bytes = Array(path.utf8)
            guard let status = FileStatus(path: bytes) else { throw failure(bytes) }
            if status.isFolder {
                try collect(folder: bytes, below: [], into: &files)
            } else {
                let name = FileNames.text(FileNames.lastComponent(bytes))
                files.append(MediaFile(path: bytes, name: name))
            }
        }
        guard !files.isEmpty else {
            throw MediaFilesError(
                description: "\(paths.joined(separator: ", ")): no files here; name a folder with media"
            )
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
            // A file that vanished since the folder was read was never there.
            guard let status = FileStatus(path: path, followsLinks: false) else { continue }
            if status.isFolder { folders.append(name) }
            guard status.isRegular else { continue }
            files.append(MediaFile(path: path, name: FileNames.text(FileNames.join(below, name))))
        }
        for name in folders {
            try collect(folder: FileNames.join(folder, name), below: FileNames.join(below, name), into: &files)
        }
    }

    /// Files of several folders may have one name; all but the first then get a number.
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
