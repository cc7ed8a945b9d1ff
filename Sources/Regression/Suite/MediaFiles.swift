internal import Glibc

/// A file that a suite was given.
package struct MediaFile: Sendable, Equatable {
    /// Its path as bytes.
    package let path: [UInt8]
    /// Its path below the folder that was given, with U+FFFD where it is not UTF-8.
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
            var status = stat()
            guard stat(path, &status) == 0 else { throw failure(path) }
            let bytes = Array(path.utf8)
            if status.st_mode & S_IFMT == S_IFDIR {
                try collect(folder: bytes, below: [], into: &files)
            } else {
                let name = bytes.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? bytes
                files.append(MediaFile(path: bytes, name: String(decoding: name, as: UTF8.self)))
            }
        }
        guard !files.isEmpty else {
            throw MediaFilesError(
                description: "\(paths.joined(separator: ", ")): no files here; name a folder with media"
            )
        }
        return files
    }

    private static func failure(_ path: String) -> MediaFilesError {
        MediaFilesError(description: "\(path): \(String(cString: strerror(errno)))")
    }

    private static func collect(
        folder: [UInt8],
        below: [UInt8],
        into files: inout [MediaFile]
    ) throws(MediaFilesError) {
        let path = folder.map { CChar(bitPattern: $0) } + [0]
        guard let stream = opendir(path) else {
            throw failure(String(decoding: folder, as: UTF8.self))
        }
        defer { closedir(stream) }
        var folders: [[UInt8]] = []
        var found: [MediaFile] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name.first != UInt8(ascii: ".") else { continue }
            let full = folder + [UInt8(ascii: "/")] + name
            let relative = below.isEmpty ? name : below + [UInt8(ascii: "/")] + name
            var status = stat()
            guard lstat(full.map { CChar(bitPattern: $0) } + [0], &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: folders.append(name)
            case S_IFREG: found.append(MediaFile(path: full, name: String(decoding: relative, as: UTF8.self)))
            default: continue
            }
        }
        files += found.sorted { $0.path.lexicographicallyPrecedes($1.path) }
        for name in folders.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let relative = below.isEmpty ? name : below + [UInt8(ascii: "/")] + name
            try collect(
                folder: folder + [UInt8(ascii: "/")] + name,
                below: relative,
                into: &files
            )
        }
    }
}
