internal import Events
internal import Fetch
internal import HLS
internal import Timeline

/// What a progressive client makes of what comes.
extension ProgressiveClient {
    /// How much of the media at least is measured at a time.
    private static let measure = Duration.seconds(1)

    /// How much must come that was not there before for a connection to count as one that works.
    private static let progress = 64 << 10

    mutating func handle(
        _ event: FetchEvent,
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) -> Bool {
        switch event {
        case .response(_, let response):
            do throws(PlaybackError) {
                try take(response, output: &output)
            } catch {
                refuse(error, at: now, journal: &journal, output: &output)
            }
        case .data(_, let more): take(more.bytes, at: now, journal: &journal, output: &output)
        case .failed(_, let error):
            close(at: now, journal: &journal, output: &output)
            lose(LoadFailure(error), at: now, journal: &journal, output: &output)
        case .finished: finish(at: now, journal: &journal, output: &output)
        }
        return true
    }

    // MARK: Heads

    private mutating func take(_ response: FetchResponse, output: inout PlayerOutput) throws(PlaybackError) {
        transfer?.serverAddress = response.serverAddress
        guard response.status == 200 || response.status == 206 else {
            transfer?.refusal = PlaybackError(.http, response.status, "HTTP \(response.status): \(url)")
            return
        }
        if radio != nil {
            follow(.answered, output: &output)
            return connect(response)
        }
        if response.header("content-type")?.lowercased().contains("ogg") ?? false {
            throw PlaybackError(.media, 1, "it is Ogg, which is not played as a file: \(url)")
        }
        let begin = try served.take(response, askedFrom: transfer?.askedFrom)
        transfer?.next = begin
        if case .opening(let reader) = phase, reader.length == nil, reader.next == 0 {
            if let metadata = IcyReader(interval: response.header("icy-metaint")) {
                becomeRadio(metadata: metadata, isRadio: true, output: &output)
            } else {
                phase = .opening(LayoutReader(length: served.length))
                isAnnouncedRadio = response.headers.contains { $0.name.hasPrefix("icy-") }
            }
        }
    }

    /// Goes on with a new connection to the same stream.
    private mutating func connect(_ response: FetchResponse) {
        guard case .radio(var radio) = phase else { return }
        radio.reconnect(
            at: nil,
            metadata: IcyReader(interval: response.header("icy-metaint")),
            isRadio: radio.isRadio
        )
        phase = .radio(radio)
    }

    private mutating func becomeRadio(metadata: IcyReader?, isRadio: Bool, output: inout PlayerOutput) {
        phase = .radio(RadioBuffer(from: anchor, metadata: metadata, isRadio: isRadio))
        follow(.open, output: &output)
        follow(.answered, output: &output)
    }

    /// An answer that goes against what is known: what is left of it is not waited for.
    private mutating func refuse(
        _ error: PlaybackError,
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) {
        cancel(output: &output)
        fail(error, at: now, journal: &journal, output: &output)
    }

    // MARK: Bytes

    private mutating func take(
        _ bytes: [UInt8],
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) {
        guard let offset = transfer?.next else { return }
        transfer?.take(bytes)
        guard let transfer, transfer.refusal == nil else { return }
        let range = offset..<offset + Int64(bytes.count)
        switch phase {
        case .opening(var reader):
            collect(bytes, at: offset, output: &output)
            if range.lowerBound > held.upperBound { held = range } else { hold(range) }
            let missing = reader.next - range.lowerBound
            guard missing < bytes.count else { return }
            let answer = reader.take(bytes.dropFirst(Int(max(0, missing))))
            phase = .opening(reader)
            take(answer, at: now, journal: &journal, output: &output)
        case .file:
            collect(bytes, at: offset, output: &output)
            hold(range)
        case .radio: play(bytes, at: now, journal: &journal, output: &output)
        case .idle, .failed: return
        }
        measure(atLeast: Self.measure, at: now, journal: &journal, output: &output)
        checkEnd(at: now, journal: &journal, output: &output)
        checkProgress(at: now, journal: &journal, output: &output)
    }

    /// Forgets earlier failures where the request under way gets on, and gives it up where it has not for too long.
    private mutating func checkProgress(at now: Instant, journal: inout ItemJournal, output: inout PlayerOutput) {
        guard let transfer else { return }
        let gained = radio == nil ? held.upperBound - transfer.heldEnd : Int64(transfer.received)
        if gained >= Self.progress { attempts = Attempts() }
        guard let failure = self.transfer?.look(at: now, url: url) else { return }
        output.cancel(transfer.id)
        close(at: now, journal: &journal, output: &output)
        lose(failure, at: now, journal: &journal, output: &output)
    }

    /// Takes in bytes of a stream.
    private mutating func play(
        _ bytes: [UInt8],
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) {
        guard case .radio(var radio) = phase else { return }
        let (sound, new) = radio.take(bytes)
        phase = .radio(radio)
        collect(sound, at: part.offset + Int64(part.bytes.count), output: &output)
        if let title = titles.take(new, at: now) { output.log(.streamTitle(item: item.description, title: title)) }
        if radio.isJunk {
            refuse(PlaybackError(.media, 1, "no MP3 or AAC comes: \(url)"), at: now, journal: &journal, output: &output)
        } else if radio.held.upperBound - anchor >= settings.keepUpLeast {
            follow(.enough, output: &output)
        }
    }

    /// Notes that a stretch of bytes is there, where it goes on from what is.
    private mutating func hold(_ range: Range<Int64>) {
        guard range.lowerBound <= held.upperBound, range.upperBound > held.upperBound else { return }
        held = held.lowerBound..<range.upperBound
    }

    /// Takes in what the head told.
    private mutating func take(
        _ answer: LayoutReader.Answer,
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) {
        switch answer {
        case .more: break
        case .jump(let offset):
            guard let transfer, served.takesRanges != false else { break }
            if offset < transfer.next || offset - transfer.next > Self.shortWay { cancel(output: &output) }
        case .found(let layout):
            phase = .file(layout)
            let needed = layout.map.offset(of: min(anchor, layout.duration))
            if needed < held.lowerBound || needed > held.upperBound {
                jump(to: needed, output: &output)
            } else {
                held = needed..<held.upperBound
            }
        case .endless(_, let start):
            guard case .opening(let reader) = phase else { break }
            becomeRadio(metadata: nil, isRadio: isAnnouncedRadio, output: &output)
            play(Array(reader.bytes(from: start)), at: now, journal: &journal, output: &output)
        case .unusable(let why):
            refuse(PlaybackError(.media, 1, "\(why): \(url)"), at: now, journal: &journal, output: &output)
        }
    }

    /// Where all bytes of a file are there, all that it says is in it must be.
    private mutating func checkEnd(at now: Instant, journal: inout ItemJournal, output: inout PlayerOutput) {
        guard let layout, let length = served.length, held.upperBound >= length, length < layout.map.end,
            lateFailure == nil, layout.map.time(of: held, from: anchor) != nil
        else { return }
        let message = "it ends at byte \(length), but says that there are \(layout.map.end): \(url)"
        fail(PlaybackError(.media, 1, message), at: now, journal: &journal, output: &output)
    }

    // MARK: Ends

    private mutating func finish(at now: Instant, journal: inout ItemJournal, output: inout PlayerOutput) {
        guard let transfer else { return }
        measure(atLeast: .zero, at: now, journal: &journal, output: &output)
        close(at: now, journal: &journal, output: &output)
        if let refusal = transfer.refusal {
            let text = String(validating: transfer.explanation.prefix(300), as: UTF8.self) ?? ""
            let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
            let message = refusal.message + (line.hasPrefix("{") ? " \(line)" : "")
            let error = PlaybackError(refusal.domain, refusal.code, message)
            // A file that the server has not is not looked for again.
            let kind = FailureKind(status: refusal.code, isLive: false).flatMap { $0 == .missing ? nil : $0 }
            return lose(LoadFailure(error, kind), at: now, journal: &journal, output: &output)
        }
        if let radio {
            guard !radio.isRadio else {
                let error = PlaybackError(.network, -1005, "the server ended the stream: \(url)")
                return lose(LoadFailure(error, .lost), at: now, journal: &journal, output: &output)
            }
            hasEnded = true
            return follow(.ended, output: &output)
        }
        served.end(at: transfer.next)
        if let end = transfer.until ?? served.length, transfer.next < end {
            let message = "the answer ended at byte \(transfer.next) of \(end): \(url)"
            return lose(
                LoadFailure(PlaybackError(.network, -1005, message), .truncated),
                at: now,
                journal: &journal,
                output: &output
            )
        }
        if case .opening(var reader) = phase, transfer.next >= (served.length ?? 0) {
            let answer = reader.finish()
            phase = .opening(reader)
            take(answer, at: now, journal: &journal, output: &output)
        }
        checkEnd(at: now, journal: &journal, output: &output)
    }

    /// The request is over, however it ended.
    private mutating func close(at now: Instant, journal: inout ItemJournal, output: inout PlayerOutput) {
        guard let transfer else { return }
        handOn(output: &output)
        journal.update(uri: url, at: now) { entry in
            entry.requests += 1
            entry.bytes += transfer.received
            entry.serverAddress = transfer.serverAddress
        }
        self.transfer = nil
    }

    /// A request failed: it is made again, from where it broke off, as the profile says.
    private mutating func lose(
        _ failure: LoadFailure,
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) {
        guard attempts.fail(failure, at: now, settings) else {
            return fail(failure.error, at: now, journal: &journal, output: &output)
        }
        journal.record(failure.error, uri: url, item: item, at: now, output: &output)
        follow(.lost, output: &output)
    }

    private mutating func fail(
        _ error: PlaybackError,
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) {
        journal.record(error, uri: url, item: item, at: now, output: &output)
        if radio != nil { follow(.failed, output: &output) }
        if layout == nil, radio == nil { phase = .failed(error) } else { lateFailure = error }
    }
}
