import Foundation

/// How the C library's allocator is set up for a server.
enum Allocator {
    /// Keeps freed memory in few places.
    ///
    /// Segments of megabytes are made on one thread and freed on another. With an arena for each thread, which is what
    /// glibc does by itself, what one has freed is of no use to the others: after a title of ten minutes the process
    /// held 75 MB more than with two arenas, and spent more time in the kernel.
    static func useFewArenas() {
        // Swift's module for glibc leaves out <malloc.h>; other C libraries do not have the function at all.
        typealias Option = @convention(c) (_ parameter: Int32, _ value: Int32) -> Int32
        guard let symbol = dlsym(nil, "mallopt") else { return }
        let arenaMaximum: Int32 = -8
        _ = unsafeBitCast(symbol, to: Option.self)(arenaMaximum, 2)
    }

    /// Gives the system back what was freed, after work that took much more memory than what is left of it.
    static func giveBack() {
        typealias Trim = @convention(c) (_ kept: Int) -> Int32
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: Trim.self)(0)
    }
}
