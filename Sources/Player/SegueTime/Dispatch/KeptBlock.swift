internal import CSegueTime

/// An owned copy of a Block.
final class KeptBlock {
    private let copy: UnsafeMutableRawPointer?

    init(_ block: UnsafeRawPointer) { copy = segue_time_copy_block(block) }

    deinit { if let copy { segue_time_release_block(copy) } }

    func call() { if let copy { segue_time_call_block(copy) } }
}
