return Emu.Hosting.ServiceCommand.Run<Emu.Services.Nat>(args);
