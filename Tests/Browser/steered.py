"""What browsers have in common that scripts steer over a WebSocket."""

import shutil


class Steered:
    """A browser's process, in a folder of its own; whoever extends it sets `process`, `folder` and `socket`."""

    def __init__(self):
        self.number, self.events = 0, []

    def exchange(self, method, parameters):
        """The answer to a command; what is told meanwhile is kept."""
        self.number += 1
        self.socket.send({"id": self.number, "method": method, "params": parameters})
        while True:
            answer = self.socket.receive()
            if answer.get("id") == self.number:
                return answer
            self.events.append(answer)

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
