internal import CSegueTime
internal import Glibc

/// A thread of a run, of which one is running at a time.
///
/// Work that blocks in virtual time keeps its thread, and another thread continues the run. Only the thread that owns
/// the run reads its turns.
final class VirtualThread: @unchecked Sendable {
    /// The turns in progress, innermost last.
    var turns: [Turn] = []

    private unowned let run: VirtualRun
    private let signal = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    /// The system's handle; zero before the thread has begun.
    private(set) var handle: pthread_t = 0

    /// A thread that waits until it is resumed.
    init(of run: VirtualRun) {
        self.run = run
        sem_init(signal, 0, 0)
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, 8 << 20)
        let entered = Unmanaged.passRetained(Box(Beginning(thread: self, run: run)))
        let code = pthread_create(&handle, &attributes, VirtualThread.main, entered.toOpaque())
        pthread_attr_destroy(&attributes)
        guard code == 0 else { fatalError("SegueTime: pthread_create: error \(code)") }
    }

    deinit {
        sem_destroy(signal)
        signal.deallocate()
    }

    /// Resumes the thread.
    func goOn() { sem_post(signal) }

    /// Waits until it is resumed.
    func rest() { while sem_wait(signal) != 0 {} }

    private struct Beginning {
        let thread: VirtualThread
        let run: VirtualRun
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        guard let context else { return nil }
        let beginning = Unmanaged<Box<Beginning>>.fromOpaque(context).takeRetainedValue().value
        segue_time_allow_interrupts()
        beginning.thread.rest()
        beginning.run.serve(on: beginning.thread)
        return nil
    }
}

/// A reference to a value.
final class Box<Value> {
    let value: Value
    init(_ value: Value) { self.value = value }
}
