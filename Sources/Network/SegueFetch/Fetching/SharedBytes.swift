internal import Synchronization

/// The bytes of a resource that serve many requests, with cached results of calculations on them.
///
/// Cached results outlive the bytes, which are recreated when needed.
package final class SharedBytes: Sendable {
    package let count: Int

    private struct State {
        var bytes: [UInt8]?
        var findings: [any Sendable] = []
    }

    private struct KnownAnswer<Question: Equatable & Sendable, Answer: Sendable>: Sendable {
        let question: Question
        let answer: Answer
    }

    private let state: Mutex<State>
    private let make: @Sendable () -> [UInt8]

    /// Creates a resource from its bytes.
    ///
    /// - Parameters:
    ///   - make: Recreates the bytes after ``letGo()``.
    package init(_ bytes: [UInt8], makingAgain make: @escaping @Sendable () -> [UInt8]) {
        count = bytes.count
        state = Mutex(State(bytes: bytes))
        self.make = make
    }

    /// Creates a resource whose bytes are created when needed.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    package init(count: Int, makingAgain make: @escaping @Sendable () -> [UInt8]) {
        self.count = count
        state = Mutex(State())
        self.make = make
    }

    /// The bytes; recreated and not kept after ``letGo()``.
    package var bytes: [UInt8] { state.withLock(\.bytes) ?? make() }

    /// Releases the bytes.
    package func letGo() { state.withLock { $0.bytes = nil } }

    /// All answers to questions of a type, in order.
    package func answers<Question: Equatable & Sendable, Answer: Sendable>(
        to type: Question.Type,
        _ answer: Answer.Type
    ) -> [(question: Question, answer: Answer)] {
        state.withLock(\.findings).compactMap { $0 as? KnownAnswer<Question, Answer> }.map { ($0.question, $0.answer) }
    }

    /// Adds a known answer.
    package func learn<Question: Equatable & Sendable, Answer: Sendable>(_ answer: Answer, to question: Question) {
        state.withLock { $0.findings.append(KnownAnswer(question: question, answer: answer)) }
    }

    /// Answers a question about the bytes, calculating the answer only once.
    ///
    /// - Parameters:
    ///   - question: The question, whose type identifies the kind of question.
    ///   - find: Calculates the answer from nothing but the bytes and the question.
    /// - Returns: The answer.
    package func answer<Question: Equatable & Sendable, Answer: Sendable>(
        to question: Question,
        find: ([UInt8]) -> Answer
    ) -> Answer {
        let findings = state.withLock(\.findings)
        for case let known as KnownAnswer<Question, Answer> in findings where known.question == question {
            return known.answer
        }
        let answer = find(bytes)
        state.withLock { $0.findings.append(KnownAnswer(question: question, answer: answer)) }
        return answer
    }
}
