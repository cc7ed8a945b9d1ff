import Foundation
import Glibc

/// A result file, opened before the work begins so that a wrong path fails early.
struct OutputFile {
    let path: String
    private let isReplaced: Bool

    /// A file that is replaced only when the new content is complete.
    static func replacing(_ path: String) -> OutputFile { OutputFile(path: path, isReplaced: true) }

    private init(path: String, isReplaced: Bool) { (self.path, self.isReplaced) = (path, isReplaced) }

    /// - Throws: ``CommandFailure`` if the file cannot be written.
    init(_ path: String) throws {
        (self.path, isReplaced) = (path, false)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw CommandFailure(path, String(cString: strerror(errno))) }
        close(descriptor)
    }

    func write(_ data: Data) throws { try write { try $0(data) } }

    /// Writes the file in pieces.
    func write(_ pieces: ((Data) throws -> Void) throws -> Void) throws {
        do {
            let written = isReplaced ? path + ".new" : path
            if isReplaced { try Data().write(to: URL(fileURLWithPath: written)) }
            // A special file such as a pipe cannot be truncated, which is harmless.
            let descriptor = open(written, O_WRONLY | O_TRUNC | O_CLOEXEC)
            guard descriptor >= 0 else { throw CommandFailure(path, String(cString: strerror(errno))) }
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            var waiting = Data()
            try pieces { piece in
                waiting += piece
                guard waiting.count >= 1 << 20 else { return }
                try file.write(contentsOf: waiting)
                waiting.removeAll(keepingCapacity: true)
            }
            try file.write(contentsOf: waiting)
            try file.close()
            if isReplaced, rename(written, path) != 0 {
                throw CommandFailure(path, String(cString: strerror(errno)))
            }
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw CommandFailure(path, "cannot be written: \(SystemReason.of(error))")
        }
    }
}

/// A folder for results.
enum OutputFolder {
    /// Creates the folder and its parents if they are missing.
    static func make(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            // Foundation's error hides the reason; that of the system call does not.
            let reason = mkdir(path, 0o777) == 0 ? error.localizedDescription : String(cString: strerror(errno))
            throw CommandFailure(path, "cannot create the folder: \(reason)")
        }
    }
}

/// The system's reason without Foundation's wrapping.
enum SystemReason {
    static func of(_ error: any Error) -> String {
        let inner = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        guard let inner = inner as NSError?, inner.domain == NSPOSIXErrorDomain else {
            return error.localizedDescription
        }
        return String(cString: strerror(Int32(inner.code)))
    }
}
