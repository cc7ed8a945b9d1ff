import Dispatch
import Foundation
import SegueConcurrency
import SegueFFmpeg

/// How the C library's allocator is set up for a server.
package enum Allocator {
    // The numbers of <malloc.h>, which Swift's module for glibc leaves out; other C libraries do not have the functions.
    private static let (trimThreshold, mapThreshold, arenaMaximum): (Int32, Int32, Int32) = (-1, -3, -8)
    /// How much may lie free at the end of an arena before it goes back to the system.
    private static let usualThreshold: Int32 = 16 << 20
    /// From which size on a block is mapped by itself.
    private static let usualBlock: Int32 = 32 << 20
    /// The same two while memory is short.
    private static let (sparingThreshold, sparingBlock): (Int32, Int32) = (1 << 20, 256 << 10)
    /// Threads that reach all arenas: there are eight at most before ``setUp()``, and threads get them in turn.
    private static let visitors = 16
    /// What glibc does not put aside when it is freed, but takes for a reason to look at the end of its arena.
    private static let visitorsBlock = 128 << 10

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
        set(arenaMaximum, 2)
        endSparing()
    }

    /// Gives free memory back to the system, and has large blocks go back as soon as they are freed; blocks meanwhile.
    ///
    /// Segments come and go, some a little larger than others, and small blocks that lie between them stay. So there are
    /// gaps into which the next ones do not fit: 60 of 128 MB, measured with 900 clients that did not read. Blocks that are
    /// mapped by themselves leave none, but the system clears each of their pages, so they are for when memory is short.
    static func spare() {
        set(mapThreshold, sparingBlock)
        set(trimThreshold, sparingThreshold)
        giveBackGaps()
    }

    /// Keeps freed memory for what is allocated next, as usual.
    static func endSparing() {
        set(mapThreshold, usualBlock)
        set(trimThreshold, usualThreshold)
    }

    /// Gives free memory back to the system: what lies between what is in use, and what lies behind it.
    ///
    /// `malloc_trim` leaves what lies at the end of every arena but the first: up to ``usualThreshold`` in each. That
    /// goes back when something is freed in the arena while the threshold is low. Blocks.
    static func trim() {
        set(trimThreshold, 0)
        freeInEachArena()
        set(trimThreshold, usualThreshold)
        giveBackGaps()
    }

    private static func giveBackGaps() {
        typealias Trim = @convention(c) (_ kept: Int) -> Int32
        if let symbol = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(symbol, to: Trim.self)(0) }
    }

    /// Frees a block in each arena: one that is freed goes back to the arena from which the thread had it that made it.
    private static func freeInEachArena() {
        let blocks = Monitor<[[UInt8]]>([])
        // Threads are counted in, and one that never comes is waited for no longer than a second: a semaphore has that.
        let (hasBlock, mayEnd) = (DispatchSemaphore(value: 0), Monitor(false))
        for _ in 0..<visitors {
            WorkThread.begin("memory") {
                blocks.withLock { $0.append([UInt8](unsafeUninitializedCapacity: visitorsBlock) { _, _ in }) }
                hasBlock.signal()
                // One that ended would leave its arena to the next.
                mayEnd.wait(for: { $0 })
            }
        }
        // One that the system has no room for never comes.
        for _ in 0..<visitors { _ = hasBlock.wait(timeout: .now() + .seconds(1)) }
        blocks.withLock { $0 = [] }
        mayEnd.withLock { $0 = true }
    }

    private static func set(_ option: Int32, _ value: Int32) {
        typealias Option = @convention(c) (_ parameter: Int32, _ value: Int32) -> Int32
        guard let symbol = dlsym(nil, "mallopt") else { return }
        _ = unsafeBitCast(symbol, to: Option.self)(option, value)
    }
}
