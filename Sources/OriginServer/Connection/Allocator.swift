import Foundation

/// How the C library's allocator is set up for a server.
package enum Allocator {
    /// Keeps freed memory in few places, and for what is allocated next.
    ///
    /// Segments of megabytes are made on one thread and freed on another. With an arena for each thread, which is what
    /// glibc does by itself, what one has freed is of no use to the others: after a title of ten minutes the process
    /// held 75 MB more than with two arenas, and spent more time in the kernel. Memory that goes back to the system when
    /// a segment is freed has to be cleared by it, page by page, for the next: that was a fifth of all the time spent on
    /// a title.
    ///
    /// To be called before threads are started: once there are more than eight arenas, glibc listens to nobody.
    package static func setUp() {
        // Swift's module for glibc leaves out <malloc.h>; other C libraries do not have the function at all.
        typealias Option = @convention(c) (_ parameter: Int32, _ value: Int32) -> Int32
        guard let symbol = dlsym(nil, "mallopt") else { return }
        let set = unsafeBitCast(symbol, to: Option.self)
        let (trimThreshold, mapThreshold, arenaMaximum): (Int32, Int32, Int32) = (-1, -3, -8)
        _ = set(arenaMaximum, 2)
        _ = set(mapThreshold, 32 << 20)
        _ = set(trimThreshold, 16 << 20)
    }

    /// Gives free memory back to the system, also where it lies between what is in use.
    static func trim() {
        typealias Trim = @convention(c) (_ kept: Int) -> Int32
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: Trim.self)(0)
    }
}
