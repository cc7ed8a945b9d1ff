import CSegueSandbox
import Foundation
import SeguePackager

/// Simulated faults of libav, selected by file names such as `planted-crash-on-open.mp4`.
///
/// They are for tests; a worker has them only if its command enables them.
struct PlantedFaults {
    private static let mark = "planted-"

    /// Causes the fault of the file's name if it applies to this question.
    func strike(_ question: Question) {
        let name = question.file.path.split(separator: "/").last ?? ""
        guard let start = name.range(of: Self.mark)?.upperBound else { return }
        let words = name[start...].split(separator: ".", maxSplits: 1)[0].components(separatedBy: "-on-")
        guard words.count == 2, words[1] == question.kind.rawValue else { return }
        switch words[0] {
        case "crash": raise(SIGSEGV)
        case "abort": abort()
        case "exit": _exit(42)
        case "hang": while true { pause() }
        // A loop without a call would be removed by the optimizer.
        case "spin": while true { _ = getppid() }
        case "bomb": Self.eat()
        case "escape": if Self.canEscape { _exit(42) }
        default: break
        }
    }

    /// True if the sandbox allows something that no file needs.
    private static var canEscape: Bool {
        var process: pid_t = 0
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        defer { free(words[0]) }
        return open("/etc/passwd", O_RDONLY) >= 0 || opendir("/") != nil
            || open("/proc/1/status", O_RDONLY) >= 0
            || open("/tmp/segue-planted", O_WRONLY | O_CREAT, 0o600) >= 0
            || socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0
            || socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0
            || posix_spawn(&process, "/bin/true", nil, nil, &words, nil) == 0
            || kill(getppid(), 0) == 0 || forbiddenCallPasses
    }

    private static var forbiddenCallPasses: Bool {
        var what: UnsafePointer<CChar>?
        let number = ssand_probe(&what)
        guard let what else { return false }
        let line = "segue worker: \(String(cString: what)) \(number) is not forbidden\n"
        FileHandle.standardError.write(Data(line.utf8))
        return true
    }

    private static func eat() {
        // The system writes the memory: the optimizer would remove writes to memory that nobody reads.
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | Int32(MAP_POPULATE)
        while mmap(nil, 16 << 20, PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED {}
        // Without more memory it waits.
        while true { pause() }
    }
}
