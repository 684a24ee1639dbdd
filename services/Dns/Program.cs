return Emu.Hosting.ServiceCommand.Run<Emu.Services.Dns>(args);
