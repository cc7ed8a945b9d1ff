internal import CSegueTime
internal import Glibc

/// One of the threads of a run, of which one at a time goes on.
///
/// What blocks in virtual time keeps its thread, and another one goes on with the run in its place. Its turns are looked at by
/// the thread that holds the run alone.
final class VirtualThread: @unchecked Sendable {
    /// What it has in hand on lanes, innermost last.
    var turns: [Turn] = []

    private unowned let run: VirtualRun
    private let signal = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    /// What the system calls it; zero before it has begun.
    private(set) var handle: pthread_t = 0

    /// A thread that waits until it is to go on.
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

    /// Has it go on.
    func goOn() { sem_post(signal) }

    /// Waits until it is to go on.
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

/// A value as an object.
final class Box<Value> {
    let value: Value
    init(_ value: Value) { self.value = value }
}
