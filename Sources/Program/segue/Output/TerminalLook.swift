import Foundation
import Glibc
import SegueSuite

/// The capabilities of the terminals that the program writes to.
enum TerminalLook {
    /// True if a line on standard error can be updated.
    static var isLive: Bool { StandardError.isTerminal && isCapable }

    static var ofStandardError: ProgressText.Look { look(STDERR_FILENO) }

    static var ofStandardOutput: ProgressText.Look { look(STDOUT_FILENO) }

    private static func look(_ descriptor: Int32) -> ProgressText.Look {
        ProgressText.Look(columns: columns(descriptor), isColoured: isColoured(descriptor), isUnicode: isUnicode)
    }

    /// The current width of a terminal; nil for other files.
    private static func columns(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// Returns whether a terminal supports color and NO_COLOR is not set (no-color.org).
    private static func isColoured(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && isCapable && (environment["NO_COLOR"] ?? "").isEmpty
    }

    private static var isCapable: Bool { environment["TERM"] != "dumb" }

    /// True if Unicode is supported, by the first of these variables that is set (locale(7)).
    private static var isUnicode: Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
        guard let name = names.first(where: { !$0.isEmpty })?.lowercased() else {
            // Containers and CI systems set none of them, and use UTF-8.
            return true
        }
        return name.contains("utf-8") || name.contains("utf8")
    }

    private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
