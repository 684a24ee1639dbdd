namespace Emu.Simulation;

/// <summary>The response to a register access: <c>bresp</c> and <c>rresp</c>.</summary>
public enum AxiResponse
{
    /// <summary>Done.</summary>
    Okay = 0,

    /// <summary>For exclusive accesses, which AXI4-Lite lacks.</summary>
    ExclusiveOkay = 1,

    /// <summary>The design refuses.</summary>
    SlaveError = 2,

    /// <summary>There is nothing at the address.</summary>
    DecodeError = 3,
}

/// <summary>
/// Reads and writes the registers of a design, one access at a time. Address and data of a write come in the order, and
/// all readiness when, its stall pattern says; addresses and data that are not valid are junk.
/// </summary>
public sealed class AxiLiteMaster
{
    private readonly AxiLiteChannels _channels;
    private readonly Simulator _simulator;
    private readonly Action _step;
    private readonly StallPattern _pattern;
    private readonly Sender _writeAddress;
    private readonly Sender _writeData;
    private readonly Sender _readAddress;
    private (AxiResponse Response, uint Data)? _answer;

    /// <summary>For the ports <c>s_axi_*</c> of a design.</summary>
    /// <param name="simulator">The design's simulator.</param>
    /// <param name="step">
    /// Takes one cycle of the bench; it has to call <see cref="Drive"/> and <see cref="Observe"/>.
    /// </param>
    /// <param name="pattern">The cycles in which a channel holds back;
    /// each channel sees the pattern shifted in time.</param>
    /// <param name="seed">The seed of the junk.</param>
    public AxiLiteMaster(Simulator simulator, Action step, StallPattern pattern, ulong seed)
    {
        (_simulator, _step, _pattern) = (simulator, step, pattern);
        _channels = new AxiLiteChannels(simulator);
        _writeAddress = new Sender(_channels.WriteAddress, seed);
        _writeData = new Sender(_channels.WriteData, seed + 1);
        _readAddress = new Sender(_channels.ReadAddress, seed + 2);
    }

    /// <summary>For how many cycles an access may take before it is given up.</summary>
    public int Limit { get; set; } = 1_000;

    /// <summary>Writes a register.</summary>
    /// <param name="address">The address in bytes.</param>
    /// <param name="data">The register's 32 bits.</param>
    /// <param name="strobe">A bit for each of the four bytes: 1 if it is written.</param>
    /// <exception cref="TimeoutException">There was no answer within <see cref="Limit"/> cycles.</exception>
    public AxiResponse Write(int address, uint data, int strobe = 0b1111)
    {
        _writeAddress.Send((ulong)address);
        _writeData.Send(data, (ulong)strobe);
        return Finish($"the write of {data:x8} to {address:x3}").Response;
    }

    /// <summary>Reads a register.</summary>
    /// <param name="address">The address in bytes.</param>
    /// <exception cref="TimeoutException">There was no answer within <see cref="Limit"/> cycles.</exception>
    public (AxiResponse Response, uint Data) Read(int address)
    {
        _readAddress.Send((ulong)address);
        return Finish($"the read of {address:x3}");
    }

    /// <summary>Decides the inputs of a cycle.</summary>
    /// <param name="cycle">The number of the cycle.</param>
    /// <param name="isInReset">True in reset, when every valid is low.</param>
    public void Drive(long cycle, bool isInReset)
    {
        _writeAddress.Drive(_pattern, cycle, isInReset);
        _writeData.Drive(_pattern, cycle + 101, isInReset);
        _readAddress.Drive(_pattern, cycle + 202, isInReset);
        _channels.WriteResponse.Ready[0] = _pattern.Stalls(cycle + 303, false, 0) ? 0UL : 1;
        _channels.ReadData.Ready[0] = _pattern.Stalls(cycle + 404, false, 0) ? 0UL : 1;
    }

    /// <summary>Takes note of what the next edge transfers, after all inputs are decided.</summary>
    public void Observe()
    {
        _writeAddress.Observe();
        _writeData.Observe();
        _readAddress.Observe();
        if (_channels.WriteResponse is { IsTransfer: true } b) _answer = ((AxiResponse)b.Payload[0].Words[0], 0);
        if (_channels.ReadData is { IsTransfer: true } r)
            _answer = ((AxiResponse)r.Payload[1].Words[0], (uint)r.Payload[0].Words[0]);
    }

    private (AxiResponse Response, uint Data) Finish(string access)
    {
        if (_simulator.IsInReset) throw new InvalidOperationException($"{access} cannot be done in reset");
        _answer = null;
        for (var i = 0; i < Limit; i++)
        {
            _step();
            if (_answer is { } answer) return answer;
        }
        var waiting = new[] { _writeAddress, _writeData, _readAddress }.FirstOrDefault(s => s.IsBusy);
        var missing = waiting is null ? "it was taken" : $"{waiting.Name}ready never came";
        throw new TimeoutException($"{access} has had no answer for {Limit} cycles: {missing}");
    }

    /// <summary>The master's side of a channel.</summary>
    private sealed class Sender(AxiLiteChannel channel, ulong seed)
    {
        private SplitMix64 _junk = new(seed);
        private ulong[]? _pending;
        private bool _isOnBus;
        private int _held;

        public string Name => channel.Name;

        public bool IsBusy => _pending is not null;

        public void Send(params ulong[] payload) => _pending = payload;

        public void Drive(StallPattern pattern, long cycle, bool isInReset)
        {
            if (_isOnBus && !isInReset) return;
            (channel.Valid[0], _isOnBus) = (0, false);
            foreach (var (_, words, width) in channel.Payload) words[0] = _junk.Next() & (1UL << width) - 1;
            if (isInReset || _pending is null || pattern.Stalls(cycle, false, _held++)) return;
            for (var i = 0; i < _pending.Length; i++) channel.Payload[i].Words[0] = _pending[i];
            (channel.Valid[0], _isOnBus, _held) = (1, true, 0);
        }

        public void Observe()
        {
            if (channel.IsTransfer) (_pending, _isOnBus) = (null, false);
        }
    }
}
