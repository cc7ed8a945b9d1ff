import Foundation
import Glibc
import SegueSuite

/// What the terminals that the program writes to can show.
enum TerminalLook {
    /// Whether a line on standard error can be written anew.
    static var isLive: Bool { StandardError.isTerminal && isCapable }

    /// Standard error.
    static var ofStandardError: ProgressText.Look { look(STDERR_FILENO) }

    /// Standard output.
    static var ofStandardOutput: ProgressText.Look { look(STDOUT_FILENO) }

    private static func look(_ descriptor: Int32) -> ProgressText.Look {
        ProgressText.Look(columns: columns(descriptor), isColoured: isColoured(descriptor), isUnicode: isUnicode)
    }

    /// Columns of a terminal, as it is now; nil where it is none, or does not say.
    private static func columns(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// Whether it is a terminal that shows colours, and nobody has asked it not to (no-color.org).
    private static func isColoured(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && isCapable && (environment["NO_COLOR"] ?? "").isEmpty
    }

    private static var isCapable: Bool { environment["TERM"] != "dumb" }

    /// Whether letters beyond ASCII are shown: the first of these that is set says so (locale(7)).
    private static var isUnicode: Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
        guard let name = names.first(where: { !$0.isEmpty })?.lowercased() else {
            // Nobody has said anything, as in containers and CI systems, whose logs are UTF-8.
            return true
        }
        return name.contains("utf-8") || name.contains("utf8")
    }

    private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
