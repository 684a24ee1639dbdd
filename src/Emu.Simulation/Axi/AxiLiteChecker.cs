namespace Emu.Simulation;

/// <summary>Watches the registers' port for the rules of AXI4-Lite (ARM IHI 0022E, A3 and B1).</summary>
public sealed class AxiLiteChecker
{
    private readonly AxiLiteChannels _channels;
    private readonly Watch[] _watches;
    private bool _wasInReset;

    /// <summary>For the ports <c>s_axi_*</c> of a design.</summary>
    public AxiLiteChecker(Simulator simulator)
    {
        _channels = new AxiLiteChannels(simulator);
        var channels = new[]
        {
            _channels.WriteAddress, _channels.WriteData, _channels.WriteResponse, _channels.ReadAddress,
            _channels.ReadData,
        };
        _watches = [.. channels.Select(c => new Watch(c))];
    }

    /// <summary>Looks at the signals before an edge, after all inputs are decided.</summary>
    /// <param name="cycle">The number of that edge.</param>
    /// <param name="isInReset">True if the design is in reset.</param>
    /// <exception cref="BusException">A rule is broken.</exception>
    public void Observe(long cycle, bool isInReset)
    {
        var (writeAddress, writeData, writeResponse, readAddress, readData) =
            (_watches[0], _watches[1], _watches[2], _watches[3], _watches[4]);
        if (isInReset)
        {
            foreach (var watch in _watches) watch.Reset(cycle, _wasInReset);
            _wasInReset = true;
            return;
        }
        _wasInReset = false;
        if (_channels.WriteResponse is { IsValid: true } b)
        {
            var written = Math.Min(writeAddress.Transfers, writeData.Transfers);
            if (written <= writeResponse.Transfers)
                throw Broken(cycle, "bvalid is high though no write was taken as a whole");
            if (b.Payload[0].Words[0] == (int)AxiResponse.ExclusiveOkay) throw Broken(cycle, "bresp is EXOKAY");
        }
        if (_channels.ReadData is { IsValid: true } r)
        {
            if (readAddress.Transfers <= readData.Transfers)
                throw Broken(cycle, "rvalid is high though no read was taken");
            if (r.Payload[1].Words[0] == (int)AxiResponse.ExclusiveOkay) throw Broken(cycle, "rresp is EXOKAY");
        }
        foreach (var watch in _watches) watch.Observe(cycle);
    }

    private static BusException Broken(long cycle, string rule) => new($"s_axi, cycle {cycle}: {rule}");

    /// <summary>The state of one channel.</summary>
    private sealed class Watch(AxiLiteChannel channel)
    {
        private readonly ulong[] _before = new ulong[channel.Payload.Length];
        private bool _isWaiting;

        public long Transfers { get; private set; }

        public void Reset(long cycle, bool wasInReset)
        {
            if (wasInReset && channel.IsValid) throw Broken(cycle, $"{channel.Name}valid is high in reset");
            (_isWaiting, Transfers) = (false, 0);
        }

        public void Observe(long cycle)
        {
            if (_isWaiting && !channel.IsValid)
                throw Broken(cycle, $"{channel.Name}valid fell before {channel.Name}ready came");
            for (var i = 0; i < _before.Length; i++)
            {
                var (name, words, _) = channel.Payload[i];
                if (_isWaiting && words[0] != _before[i])
                    throw Broken(cycle, $"{name} changed before {channel.Name}ready came");
                _before[i] = words[0];
            }
            _isWaiting = channel.IsValid && !channel.IsTransfer;
            if (channel.IsTransfer) Transfers++;
        }
    }
}
