import Dispatch
import Foundation
import SegueConcurrency
import SegueFFmpeg

/// The settings of the C library's allocator for a server.
package enum Allocator {
    // The constants of <malloc.h>, which Swift's module for glibc leaves out; other C libraries lack the functions.
    private static let (trimThreshold, mapThreshold, arenaMaximum): (Int32, Int32, Int32) = (-1, -3, -8)
    /// The free memory at the end of an arena above which it returns to the system.
    private static let usualThreshold: Int32 = 16 << 20
    /// The size above which a block is mapped separately.
    private static let usualBlock: Int32 = 32 << 20
    /// Both values during a memory shortage.
    private static let (sparingThreshold, sparingBlock): (Int32, Int32) = (1 << 20, 256 << 10)
    /// The number of threads that reach all arenas: there are at most eight before ``setUp()``, assigned to threads in
    /// turn.
    private static let visitors = 16
    /// A size that glibc does not cache when it is freed, so that it trims the end of its arena.
    private static let visitorsBlock = 128 << 10

    /// Limits the number of arenas and keeps freed memory for the next allocations.
    ///
    /// Segments of megabytes are made on one thread and freed on another. With an arena for each thread, the default of
    /// glibc, memory freed by one thread is not available to the others: after a title of ten minutes the process held
    /// 75 MB more than with two arenas, and spent more time in the kernel. Memory that returns to the system with each
    /// freed segment has to be cleared page by page for the next one, which took a fifth of the time of a title.
    ///
    /// Call it before threads start: with more than eight arenas glibc ignores the limit.
    package static func setUp() {
        set(arenaMaximum, 2)
        endSparing()
    }

    /// Returns free memory to the system, and maps large blocks separately from now on; blocks.
    ///
    /// Segments of varying sizes leave gaps between small blocks, into which the next ones do not fit: 60 of 128 MB,
    /// measured with 900 clients that did not read. Separately mapped blocks leave none, but the system clears each of
    /// their pages, so they are used only in a shortage.
    static func spare() {
        set(mapThreshold, sparingBlock)
        set(trimThreshold, sparingThreshold)
        giveBackGaps()
    }

    /// Ends the settings of a shortage.
    static func endSparing() {
        set(mapThreshold, usualBlock)
        set(trimThreshold, usualThreshold)
    }

    /// Returns free memory to the system, both between used blocks and after them; blocks.
    ///
    /// `malloc_trim` leaves the end of every arena but the first: up to ``usualThreshold`` in each. That returns when
    /// something is freed in the arena while the threshold is low.
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

    /// Frees a block in each arena; a freed block returns to the arena of its thread.
    private static func freeInEachArena() {
        let blocks = Monitor<[[UInt8]]>([])
        // A semaphore limits the wait to one second for a thread that never starts.
        let (hasBlock, mayEnd) = (DispatchSemaphore(value: 0), Monitor(false))
        for _ in 0..<visitors {
            WorkThread.begin("memory") {
                blocks.withLock { $0.append([UInt8](unsafeUninitializedCapacity: visitorsBlock) { _, _ in }) }
                hasBlock.signal()
                // A thread that ends would leave its arena to the next one.
                mayEnd.wait(for: { $0 })
            }
        }
        // A thread does not start if the system has no resources for it.
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
