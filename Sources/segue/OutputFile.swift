import Foundation
import Glibc

/// A file that results will be written to; opened before the work begins, so that a wrong path costs no time.
struct OutputFile {
    let path: String

    init(_ path: String) throws {
        self.path = path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw CommandFailure(path, String(cString: strerror(errno))) }
        close(descriptor)
    }

    func write(_ data: Data) throws {
        do {
            try data.write(to: URL(fileURLWithPath: path))
        } catch {
            throw CommandFailure(path, "cannot be written: \(error.localizedDescription)")
        }
    }
}

/// The terminal's size.
enum TerminalSize {
    /// Columns of the terminal on standard output; nil where it is none.
    static var columns: Int? {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else {
            return nil
        }
        return Int(size.ws_col)
    }
}
