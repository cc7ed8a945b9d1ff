import SeguePlayer

/// Plays a multivariant stream with the audio in a rendition of its own, drops the video in the background, and
/// continues with the same audio.
public final class Renditions: PatientController {
    override func willResignActive() {
        super.willResignActive()
        // Without a layer, the audio continues.
        device.setLayerAttached(false)
        player.loadsVideo = false
    }

    override func didEnterBackground() {
        // For platforms that pause everything.
        if isUsable, wasPlaying { player.play() }
    }

    override func didBecomeActive() {
        device.setLayerAttached(true)
        player.loadsVideo = true
        super.didBecomeActive()
    }

    override func address(of title: Title, as rendition: Title.Rendition) -> String? {
        rendition == .full ? title.multivariant ?? title.full : title.audio
    }
}
