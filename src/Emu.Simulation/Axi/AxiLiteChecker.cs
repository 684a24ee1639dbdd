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
        _watches = [.. new[] { _channels.WriteAddress, _channels.WriteData, _channels.WriteResponse, _channels.ReadAddress, _channels.ReadData }.Select(c => new Watch(c))];
    }

    /// <summary>Looks at the signals before an edge, after all inputs are decided.</summary>
    /// <param name="cycle">The number of that edge.</param>
    /// <param name="isInReset">Whether it is in reset.</param>
    /// <exception cref="BusException">A rule is broken.</exception>
    public void Observe(long cycle, bool isInReset)
    {
        var (writeAddress, writeData, writeResponse, readAddress, readData) = (_watches[0], _watches[1], _watches[2], _watches[3], _watches[4]);
        if (isInReset)
        {
            foreach (var watch in _watches) watch.Reset(cycle, _wasInReset);
            _wasInReset = true;
            return;
        }
        _wasInReset = false;
        var written = Math.Min(writeAddress.Transfers, writeData.Transfers);
        Check(!_channels.WriteResponse.IsValid || written > writeResponse.Transfers, cycle, "bvalid is high though no write was taken as a whole");
        Check(!_channels.ReadData.IsValid || readAddress.Transfers > readData.Transfers, cycle, "rvalid is high though no read was taken");
        Check(!_channels.WriteResponse.IsValid || _channels.WriteResponse.Payload[0].Words[0] != (int)AxiResponse.ExclusiveOkay, cycle, "bresp is EXOKAY");
        Check(!_channels.ReadData.IsValid || _channels.ReadData.Payload[1].Words[0] != (int)AxiResponse.ExclusiveOkay, cycle, "rresp is EXOKAY");
        foreach (var watch in _watches) watch.Observe(cycle);
    }

    private static void Check(bool holds, long cycle, string what)
    {
        if (!holds) throw new BusException($"s_axi, cycle {cycle}: {what}");
    }

    /// <summary>What happened on a channel.</summary>
    private sealed class Watch(AxiLiteChannel channel)
    {
        private readonly ulong[] _before = new ulong[channel.Payload.Length];
        private bool _isWaiting;

        public long Transfers { get; private set; }

        public void Reset(long cycle, bool wasInReset)
        {
            Check(!wasInReset || !channel.IsValid, cycle, $"{channel.Name}valid is high in reset");
            (_isWaiting, Transfers) = (false, 0);
        }

        public void Observe(long cycle)
        {
            Check(!_isWaiting || channel.IsValid, cycle, $"{channel.Name}valid fell before {channel.Name}ready came");
            for (var i = 0; i < _before.Length; i++)
            {
                Check(!_isWaiting || channel.Payload[i].Words[0] == _before[i], cycle, $"{channel.Payload[i].Name} changed before {channel.Name}ready came");
                _before[i] = channel.Payload[i].Words[0];
            }
            _isWaiting = channel.IsValid && !channel.IsTransfer;
            if (channel.IsTransfer) Transfers++;
        }
    }
}
